// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include <filesystem>

namespace headroom::app {

class Session;

/// Keeps a session that was never saved in the user's data folder, two seconds after each change, so that
/// neither a crash nor closing the window loses it. A session that has a folder of its own is left alone:
/// Save writes it, Undo's mark says that it changed. Window's thread.
class Autosave : public QObject {
    Q_OBJECT

public:
    /// `folder` must end in ".headroom"; usually defaultFolder().
    Autosave(Session* session, std::filesystem::path folder, QObject* parent = nullptr);
    /// Writes now what waits for its two seconds; call before the window closes.
    void flush();
    /// Whether there is a session in the folder.
    bool exists() const;
    /// Removes it: the user saved, or threw the session away.
    void discard();
    static std::filesystem::path defaultFolder();

private:
    void schedule();

    Session* m_session;
    std::filesystem::path m_folder;
    QTimer m_timer;
    bool m_complained = false;
};

} // namespace headroom::app
