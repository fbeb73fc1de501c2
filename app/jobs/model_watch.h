// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <cstdint>
#include <filesystem>
#include <map>
#include <utility>

namespace headroom::app {

/// Has the session open a model again whose files have changed since it was opened, as those of a run that was resumed. The session
/// says which files these are. A model that is taken away stays as it was read.
/// Looks when the system reports a change, when the program becomes active, when a model that is open is opened again, and when
/// look() is called. Reads times and sizes on a thread of its own. Window's thread.
class ModelWatch : public QObject {
    Q_OBJECT

public:
    explicit ModelWatch(Session* session, QObject* parent = nullptr);
    ~ModelWatch() override; ///< waits for the look that goes on

    /// Looks soon, not at once: a folder is written in several steps.
    void look() { m_soon.start(); }
    bool isPending() const { return m_soon.isActive() || m_looking; }

private:
    using Version = std::map<std::filesystem::path, std::pair<std::filesystem::file_time_type, std::uintmax_t>>; ///< files → time and size
    struct Open {
        std::filesystem::path folder;
        Version version; ///< empty: there is none
    };
    using OpenModels = std::map<ModelId, Open>;
    static Version versionOf(const std::filesystem::path& model);
    void follow(ModelId id);
    void forget(ModelId id);
    void begin();
    void take(const OpenModels& now);
    void watch();

    Session* m_session;
    QThreadPool m_pool;
    QFileSystemWatcher m_files;
    QTimer m_soon;
    bool m_looking = false;
    OpenModels m_open; ///< as they were when they were opened
};

} // namespace headroom::app
