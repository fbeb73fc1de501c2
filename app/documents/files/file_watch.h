// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QThreadPool>
#include <QTimer>

namespace headroom::app {

/// When to look at files that other programs write: when the system reports a change of one that is watched, when the program becomes
/// active, because some file systems report none, and when look() is called. A derived class says what is watched and looks.
/// Window's thread.
class FileWatch : public QObject {
    Q_OBJECT

public:
    /// Looks soon, not at once: a file is written, and a folder replaced, in several steps.
    void look() { m_soon.start(); }

protected:
    explicit FileWatch(QObject* parent);
    virtual void begin() = 0;        ///< looks now
    virtual bool isIdle() const = 0; ///< there is nothing to look at
    bool isSoon() const { return m_soon.isActive(); }
    void waitForLooks(); ///< on the pool; for the destructor of a derived class

    QFileSystemWatcher m_files; ///< what is watched
    QThreadPool m_pool;         ///< one thread, which reads

private:
    QTimer m_soon;
};

} // namespace headroom::app
