// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/files/file_watch.h"

#include <QGuiApplication>

namespace headroom::app {

namespace {

constexpr int kSettles = 200; ///< ms: an editor removes a file before it puts another in its place

} // namespace

FileWatch::FileWatch(QObject* parent) : QObject(parent) {
    m_pool.setMaxThreadCount(1);
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSettles);
    connect(&m_soon, &QTimer::timeout, this, [this] { begin(); });
    connect(&m_files, &QFileSystemWatcher::fileChanged, this, &FileWatch::look);
    connect(&m_files, &QFileSystemWatcher::directoryChanged, this, &FileWatch::look);
    if (auto* program = qobject_cast<QGuiApplication*>(QCoreApplication::instance()))
        connect(program, &QGuiApplication::applicationStateChanged, this, [this](Qt::ApplicationState state) {
            if (state == Qt::ApplicationActive && !isIdle())
                look();
        });
}

void FileWatch::waitForLooks() {
    m_pool.clear();
    m_pool.waitForDone();
}

} // namespace headroom::app
