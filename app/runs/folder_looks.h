// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/paths.h"

#include <QFileSystemWatcher>
#include <QTimer>

#include <filesystem>
#include <functional>

namespace headroom::app {

/// When folders into which other processes write are looked at: once a second, and soon after a change of one that is
/// watched. The window's thread.
class FolderLooks {
public:
    explicit FolderLooks(const std::function<void()>& look) {
        m_soon.setSingleShot(true);
        m_soon.setInterval(50); // several changes of a folder come at once
        QObject::connect(&m_timer, &QTimer::timeout, look);
        QObject::connect(&m_soon, &QTimer::timeout, look);
        QObject::connect(&m_watcher, &QFileSystemWatcher::directoryChanged, &m_soon, qOverload<>(&QTimer::start));
        m_timer.start(1000);
    }
    void setPeriod(int milliseconds) { m_timer.setInterval(milliseconds); }
    /// From now on, if it is there; asked again with every look, because it may be made later.
    void watch(const std::filesystem::path& folder) {
        if (std::error_code ignored;
            !m_watcher.directories().contains(toQString(folder)) && std::filesystem::is_directory(folder, ignored))
            m_watcher.addPath(toQString(folder));
    }

private:
    QTimer m_timer, m_soon;
    QFileSystemWatcher m_watcher;
};

} // namespace headroom::app
