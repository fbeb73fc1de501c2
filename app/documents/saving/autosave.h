// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/saving/recovery.h"

#include <QObject>
#include <QTimer>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace headroom::app {

class Session;

/// Keeps what is not saved yet, two seconds after each change, so that neither a crash nor closing the window loses it. A session
/// that was never saved is kept in the user's data folder. The changes of one that has a folder are kept beside its session.json
/// (Recovery) until Save writes them; the window asks before it closes. Window's thread.
///
/// Each running program has a folder of its own: the first one `folder`, a second one beside it
/// "unsaved 2.headroom".
class Autosave : public QObject {
    Q_OBJECT

public:
    /// `folder` must end in ".headroom"; usually defaultFolder().
    Autosave(Session* session, std::filesystem::path folder, QObject* parent = nullptr);
    ~Autosave() override;

    /// Called before the session is written, so that it can take over what is on the screen.
    std::function<void()> beforeWriting = [] {};
    /// Hash of the session.json that is open here.
    std::function<std::string()> savedHash = [] { return std::string(); };
    /// Neither reads nor writes from now on: a picture leaves the user's work alone.
    void disable();
    /// Writes now what waits for its two seconds; call before the window closes a session without a name.
    void flush();
    /// Keeps the view, which does not make a session modified. Call when the session is closed, after flush(). Of an unedited
    /// copy of `original`, only the view is kept: folder() then holds no session, and nothing is lost when it is replaced.
    void keepView(const std::filesystem::path& original);
    /// Where a view is kept without a session; empty if disabled.
    std::filesystem::path viewFolder() { return m_isEnabled ? folder() : std::filesystem::path(); }
    /// Whether there is a session in the folder of this program.
    bool exists();
    std::filesystem::path folder();
    /// Removes it: the user saved, or threw the session away.
    void discard();
    /// Moves it to a session of its own in the same place, "NAME 2026-11-28 12.30.headroom" by the time of
    /// its last change, and returns that folder. Throws Error "session.unwritable".
    std::filesystem::path setAside(const QString& name);
    /// The same for what other programs kept that have ended.
    std::vector<std::filesystem::path> setOthersAside(const QString& name);
    static std::filesystem::path defaultFolder();

    // Changes of a session with a folder.
    /// Those that ended programs left of the session that is open, newest first.
    std::vector<std::filesystem::path> leftChanges() const;
    /// Opens the session with them. Throws as Recovery::restore().
    void restoreChanges(const std::filesystem::path& file) { m_recovery.restore(m_session, file); }
    /// Gives up those of this program: the user threw them away.
    void discardChanges();

Q_SIGNALS:
    void written(); ///< the folder holds the session

private:
    void schedule();
    void write();
    /// Nothing is unsaved, or it is kept: the next failure is said again.
    void takeBackComplaint();

    Session* m_session;
    std::filesystem::path m_first;  ///< as it was given
    std::filesystem::path m_folder; ///< of this program; empty until it is needed
    std::unique_ptr<QLockFile> m_lock;
    Recovery m_recovery;
    QTimer m_timer;
    bool m_isEnabled = true;
    bool m_complained = false;
};

} // namespace headroom::app
