// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/file_dialogs.h"
#include "app/workspaces/analyse/start/start_page.h"

#include <QObject>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

class QMenu;
class QMimeData;

namespace headroom::app {

class Actions;
class AppSettings;
class Autosave;
class LastModel;
class Session;

/// What opens, saves and closes: the actions of File and Session, what is dropped on the window, and which
/// session a start begins with. Window's thread.
class SessionActions : public QObject {
    Q_OBJECT

public:
    struct Parts {
        Session* session;
        AppSettings* settings;
        Autosave* autosave;
        const Actions* actions;
        Dialogs* dialogs;
        QWidget* window; ///< parent of dialogues
    };
    explicit SessionActions(const Parts& parts, QObject* parent = nullptr);

    void setDialogs(std::unique_ptr<FileDialogs> dialogs) { m_dialogs.replace(std::move(dialogs)); }
    /// Called before something is saved, so that the session can take over what is on the screen.
    std::function<void()> beforeSaving = [] {};

    /// First start: the demo. Later: the last session, where that is wanted and still there. `files`: these
    /// instead. A session that was never saved and is not the one that is opened becomes a recent session.
    void start(const QStringList& files);
    void openFiles(const QStringList& files);
    void openSession(const QString& folder);
    /// Reads sound that comes in while no model is open.
    LastModel* lastModel() const { return m_lastModel; }
    void openDemo();
    bool save();
    bool saveAs();
    /// Whether session.json is another file than the one from which the state here began: another window has saved the
    /// same session, or changedHere(). False without a folder, and if the file is gone.
    bool changedOnDisk() const;
    /// Whether this window saved that file, after the changes that it restored.
    bool changedHere() const;
    /// Opens the session again as it is on the disk; what was changed here is lost.
    bool reload();
    /// What another window saved is known, and the next save replaces it without a question. Until then, this session counts as changed.
    void keepMine();
    /// Opens the session with the changes that an ended program left. Asks where there are other ones.
    void restoreChanges(const std::filesystem::path& file);
    void discardLeftChanges(const std::filesystem::path& file);
    /// Whether the program may end: asks where a session with a name has changes. One without a name is kept
    /// by Autosave.
    bool mayEnd();
    /// Before the program ends: remembers what is open. Never asks.
    void remember();

    static bool canTake(const QMimeData* data);
    void take(const QMimeData* data);
    void fillRecent(QMenu* menu);
    std::vector<RecentSession> recent() const;

Q_SIGNALS:
    /// Said in Messages, and nowhere else: it concerns no row of what is open.
    void somethingWrongSaid();
    void fileRemembered(); ///< session.json is the one that is open here
    void recoveryDecided(bool done); ///< restoreChanges() or discardLeftChanges() was asked for
    void studyWanted(const QString& folder); ///< a study's folder was dropped, named or chosen

private:
    void rememberFile();
    void setAside(bool restores, const QString& name);
    void connectActions();
    void commitField();
    /// Whether what is open may be closed; asks where changes would be lost.
    bool mayClose();
    /// The same before another session replaces it; also keeps the view.
    bool mayReplace();
    /// Keeps the view of an unedited session; of one with a name only while its file is the version that is open here.
    void keepView();
    /// Runs something that may throw Error and puts its sentence into Messages.
    bool guarded(const std::function<void()>& work);
    /// The same for work that opens another session. If it fails, Autosave keeps the open one, which had been given up, again.
    bool replacing(const std::function<void()>& work);
    void opened(const QString& folder);
    Parts m_parts;
    Dialogs& m_dialogs;
    std::string m_writtenHash; ///< of session.json as this window saved it last
    std::string m_ownHash;     ///< of session.json as it was read or written here
    std::string m_knownHash;   ///< the same, or that of another window which keepMine() may overwrite
    LastModel* m_lastModel;
};

} // namespace headroom::app
