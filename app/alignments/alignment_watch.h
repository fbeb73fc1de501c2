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

/// Has the session read an alignment again that another program has changed, and says so, also where it was deleted. Files are
/// looked at when the system tells of a change, when the program becomes active and when look() is called. Hashes are made on a
/// thread of its own. Window's thread.
class AlignmentWatch : public QObject {
    Q_OBJECT

public:
    explicit AlignmentWatch(Session* session, QObject* parent = nullptr);
    ~AlignmentWatch() override; ///< waits for what is being hashed

    /// Soon: editors write a file in several steps.
    void look() { m_soon.start(); }
    bool isPending() const { return m_soon.isActive() || m_looking; }

private:
    /// A file as it was when it was last looked at.
    struct Seen {
        std::filesystem::file_time_type time{};
        std::uintmax_t size = 0;
        std::string sha256; ///< empty: could not be read
        bool isThere = true;
    };
    using Files = std::map<std::filesystem::path, Seen>;
    static Files lookAt(Files files); ///< as they are now; hashes anew what has another time or size
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
    std::map<std::filesystem::path, std::string> m_awaited; ///< is being read again, in this version
};

} // namespace headroom::app
