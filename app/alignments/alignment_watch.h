// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace headroom::app {

/// Lets the session read alignments again that another program has changed, and reports these and the deleted ones in Messages.
/// Looks at the files when the system reports a change, when the program becomes active and when look() is called. Hashes them on
/// a thread of its own. Window's thread.
class AlignmentWatch : public QObject {
    Q_OBJECT

public:
    explicit AlignmentWatch(Session* session, QObject* parent = nullptr);
    ~AlignmentWatch() override; ///< waits for what is being hashed

    /// Looks soon, not at once: editors write a file in several steps.
    void look() { m_soon.start(); }
    bool isPending() const { return m_soon.isActive() || m_looking; }

private:
    /// A file at the last look.
    struct Seen {
        std::filesystem::file_time_type time{};
        std::uintmax_t size = 0;
        std::string sha256; ///< empty: could not be read
        bool isThere = true;
    };
    using Files = std::map<std::filesystem::path, Seen>;
    static Files lookAt(Files files); ///< the files now; hashes those with a new time or size
    void follow(UtteranceId id);
    void watch();
    void begin();
    void take(const Files& now);
    void readAgain(const std::filesystem::path& file, const Seen& now);

    Session* m_session;
    QThreadPool m_pool;
    QFileSystemWatcher m_files;
    QTimer m_soon;
    bool m_looking = false;
    Files m_seen;
    std::map<std::filesystem::path, std::string> m_awaited; ///< being read again, with the hash of the version that is expected
};

} // namespace headroom::app
