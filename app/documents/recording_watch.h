// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/files/file_watch.h"
#include "app/documents/files/gone_files.h"
#include "app/documents/session.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace headroom::app {

/// Marks the utterances whose recording is moved or deleted while it is open, and says so in Messages, until the file is back. One that comes
/// back with another content is read again, and so is a file that could not be read in its place, when it has changed. Looks as a FileWatch
/// does, on a thread of its own. Window's thread.
class RecordingWatch : public FileWatch {
    Q_OBJECT

public:
    explicit RecordingWatch(Session* session, QObject* parent = nullptr);
    ~RecordingWatch() override; ///< waits for the look that goes on

    bool isPending() const { return isSoon() || m_looking; }

private:
    struct Open {
        UtteranceId id;
        std::filesystem::path file; ///< as the session names it, with the part of it
        bool isThere = true;
        std::string sha256{}; ///< of one that is back; empty: not looked at
    };
    /// Of a file when its content was looked at.
    struct Stamp {
        std::filesystem::file_time_type time{};
        std::uintmax_t size = 0;
        bool operator==(const Stamp&) const = default;
    };
    struct Look {
        std::vector<Open> open;
        std::map<std::filesystem::path, Stamp> back;
        bool isWritten = false; ///< one of them, at the moment
    };
    static void lookAt(Look& look);
    void follow(UtteranceId id);
    void forget(UtteranceId id);
    void watch(const std::filesystem::path& path, const QStringList& watched);
    void watchUnfinished(const std::vector<Open>& all);
    void begin() override;
    bool isIdle() const override { return m_session->utterances()->count() == 0; }
    void take(const Look& now);

    Session* m_session;
    bool m_looking = false;
    std::map<UtteranceId, std::filesystem::path> m_open; ///< the files of recordings that were read
    std::set<std::filesystem::path> m_folders;           ///< of these, since the program started
    std::map<std::filesystem::path, Stamp> m_back;       ///< files that were gone since they were opened, or could not be read, and may be others now
    GoneFiles m_gone;
};

} // namespace headroom::app
