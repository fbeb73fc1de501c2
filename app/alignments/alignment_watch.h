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

/// Lets the session read alignments again that another program has changed, and those that it puts beside an open recording that has
/// none, as at opening; reports these and the deleted ones in Messages.
/// Looks as a FileWatch does. Hashes the files on a thread of its own. Window's thread.
class AlignmentWatch : public FileWatch {
    Q_OBJECT

public:
    explicit AlignmentWatch(Session* session, QObject* parent = nullptr);
    ~AlignmentWatch() override; ///< waits for what is being hashed

    bool isPending() const { return isSoon() || m_looking || m_listing > 0; }

private:
    /// A file at the last look.
    struct Seen {
        FileStamp stamp{};
        std::string sha256; ///< empty: could not be read
        bool isThere = true;
    };
    using Files = std::map<std::filesystem::path, Seen>;
    using Names = std::map<std::filesystem::path, std::set<std::filesystem::path>>; ///< what may be an alignment, by folder
    /// An open recording without an alignment.
    struct Lacking {
        UtteranceId id = UtteranceId::None;
        std::filesystem::path recording, found; ///< `found`: a new file beside it; empty: none
    };
    struct Look {
        Files files;
        Names names;
        std::vector<Lacking> lacking;
    };
    static Files lookAt(Files files); ///< the files now; hashes those with a new time or size
    static Names namesIn(const std::set<std::filesystem::path>& folders);
    static void lookBeside(Look& look, const Names& before);
    std::vector<Lacking> lacking() const;
    bool isOpen(const std::filesystem::path& file) const; ///< as an alignment that was read
    void follow(UtteranceId id);
    void mark(UtteranceId id);
    void list(const std::filesystem::path& folder);
    void watch();
    void begin() override;
    bool isIdle() const override { return m_seen.empty() && m_names.empty(); }
    void take(const Look& now);
    void readAgain(const std::filesystem::path& file, const Seen& now);
    void readNew(const Lacking& lacking, const Files& files);

    Session* m_session;
    GoneFiles m_gone;
    bool m_looking = false;
    int m_listing = 0; ///< folders that are listed for the first time
    Files m_seen;
    Names m_names; ///< beside recordings without an alignment
    std::map<UtteranceId, std::filesystem::path> m_offered; ///< found beside one, and it may be that it could not be read
    struct Awaited {
        std::string sha256; ///< of the version that is expected
        bool isNew = false; ///< the recording had no alignment
    };
    std::map<std::filesystem::path, Awaited> m_awaited; ///< being read
};

} // namespace headroom::app
