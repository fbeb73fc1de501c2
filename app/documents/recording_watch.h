// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/files/file_watch.h"
#include "app/documents/files/gone_files.h"
#include "app/documents/items/file_stamp.h"
#include "app/documents/session.h"

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace headroom::app {

/// Marks the utterances whose recording is moved or deleted while it is open, and says so in Messages, until the file is back. One whose
/// content has changed, in place or while it was gone, is read again as soon as nobody writes to it. Looks as a FileWatch does, on a thread
/// of its own. Window's thread.
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
        std::string sha256{}; ///< of one that was looked at because it is not as it was; empty: it is
    };
    using Stamps = std::map<std::filesystem::path, FileStamp>;
    struct Look {
        std::vector<Open> open;
        Stamps stamps;
        std::set<std::filesystem::path> changed{}; ///< files
        bool isWritten = false;                    ///< one of them, at the moment
    };
    static void lookAt(Look& look);
    void follow(UtteranceId id);
    void forget(UtteranceId id);
    void add(const std::filesystem::path& path, qsizetype watched);
    void watch(const std::set<std::filesystem::path>& replaced);
    bool isUnfinished(UtteranceId id, const std::filesystem::path& file) const;
    void begin() override;
    bool isIdle() const override { return m_session->utterances()->count() == 0; }
    void take(const Look& now);

    Session* m_session;
    bool m_looking = false;
    std::map<UtteranceId, std::filesystem::path> m_open; ///< the files of recordings that were read
    Stamps m_stamps; ///< of their files, when the content was looked at; FileStamp(): it may be another one now
    GoneFiles m_gone;
};

} // namespace headroom::app
