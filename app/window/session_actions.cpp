// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/session_actions.h"

#include "app/documents/drafts/drafts.h"
#include "app/documents/items/paths.h"
#include "app/documents/saving/autosave.h"
#include "app/documents/session.h"
#include "app/parts/actions.h"
#include "app/parts/last_folder.h"
#include "app/parts/session_field.h"
#include "app/settings/app_settings.h"
#include "app/settings/resource_folders.h"
#include "app/studies/study_store.h"
#include "app/window/last_model.h"
#include "core/model_folders/hub_cache.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>
#include <QMimeData>
#include <QUrl>
#include <QWidget>

#include <algorithm>
#include <utility>

namespace headroom::app {

namespace {

bool isSession(const QString& path) {
    return path.endsWith(QLatin1String(kSessionSuffix)) && QFileInfo::exists(path + QLatin1Char('/') + QLatin1String(kSessionFileName));
}

QString demoName() {
    return SessionActions::tr("Demo session");
}

/// Empty where a session was never saved.
std::string hashOnDisk(const std::filesystem::path& folder) {
    std::error_code ignored;
    const auto file = folder / kSessionFileName;
    return !folder.empty() && std::filesystem::exists(file, ignored) ? hashOfFile(file) : std::string();
}

bool looksTheSame(const SessionDocument& one, const SessionDocument& other) {
    return one.currentUtterance == other.currentUtterance && one.currentModel == other.currentModel &&
           one.currentLayer == other.currentLayer && one.source == other.source && one.view == other.view;
}

QStringList localFiles(const QMimeData* data) {
    QStringList files;
    for (const QUrl& url : data->urls())
        if (url.isLocalFile())
            files << url.toLocalFile();
    return files;
}

} // namespace

SessionActions::SessionActions(const Parts& parts, QObject* parent)
    : QObject(parent)
    , m_parts(parts)
    , m_dialogs(*parts.dialogs)
    , m_lastModel(new LastModel(parts.session, parts.settings, this)) {
    connectActions();
    parts.autosave->beforeWriting = [this] { beforeSaving(); };
    parts.autosave->savedHash = [this] { return m_knownHash; };
    // What is kept has no name: the next start finds it as the last session.
    connect(parts.autosave, &Autosave::written, this, [this] {
        m_parts.settings->setLastSession(m_parts.session->name() == demoName() ? toQString(demoSessionFolder()) : QString());
    });
    connect(parts.session, &Session::sessionDropped, this,
            [this](const std::filesystem::path& folder) { openSession(toQString(folder)); });
}

void SessionActions::connectActions() {
    const Actions& a = *m_parts.actions;
    const auto at = [this](QAction* action, auto work) { connect(action, &QAction::triggered, this, work); };
    using FolderOf = AppSettings::FolderOf;
    at(a.openAudio, [this] {
        QStringList files;
        askBeside(*m_parts.settings, FolderOf::Sounds, [&](const QString& folder) {
            files = m_dialogs->openAudio(m_parts.window, folder);
            return files.value(0);
        });
        if (!files.isEmpty())
            openFiles(files);
    });
    const auto chooseFolder = [this](FolderOf purpose, const QString& title) {
        return askBeside(*m_parts.settings, purpose, [&](const QString& folder) { return m_dialogs->openFolder(m_parts.window, title, folder); });
    };
    at(a.openFolder, [this, chooseFolder] {
        if (const QString folder = chooseFolder(FolderOf::Sounds, tr("Open a folder of recordings")); !folder.isEmpty())
            openFiles({folder});
    });
    at(a.openModel, [this] {
        const QString folder = m_dialogs->openModel(m_parts.window, tr("Open a model folder"), m_parts.settings->lastFolder(FolderOf::Models));
        if (folder.isEmpty())
            return;
        const QString cache = toQString(hubCacheFolder()); // its folders are no place to start a search from
        if (cache.isEmpty() || !folder.startsWith(cache))
            m_parts.settings->setLastFolder(FolderOf::Models, QFileInfo(folder).absolutePath());
        m_parts.session->setCurrentModel(m_parts.session->openModel(toPath(folder)));
    });
    at(a.openMaps, [this] {
        const QString file = askBeside(*m_parts.settings, FolderOf::Maps, [&](const QString& folder) {
            return m_dialogs->openFile(m_parts.window, tr("Open imported maps"), folder, tr("Imported maps (*.npz)"));
        });
        if (!file.isEmpty())
            m_parts.session->setCurrentModel(m_parts.session->openModel(toPath(file)));
    });
    at(a.openStudy, [this, chooseFolder] {
        if (const QString folder = chooseFolder(FolderOf::Studies, tr("Open the folder of a study")); !folder.isEmpty())
            Q_EMIT studyWanted(folder);
    });
    at(a.openDemoModel, [this] {
        m_parts.session->setCurrentModel(m_parts.session->openModel(resourceFolder() / "demo" / "model"));
    });
    at(a.openSession, [this, chooseFolder] {
        if (const QString folder = chooseFolder(FolderOf::Sessions, tr("Open a session (a .headroom folder)")); !folder.isEmpty())
            openSession(folder);
    });
    at(a.openDemo, [this] {
        if (!mayReplace())
            return;
        m_parts.autosave->discard();
        if (!demoSessionFolder().empty()) // else what is open stays
            m_parts.session->messages()->clear();
        openDemo();
    });
    at(a.newSession, [this] {
        if (!mayReplace())
            return;
        m_parts.session->clear();
        m_parts.session->messages()->clear(); // they were about what is closed
        m_parts.autosave->discard();
        m_parts.settings->setLastSession({});
    });
    at(a.saveSession, [this] { save(); });
    at(a.saveSessionAs, [this] { saveAs(); });
}

bool SessionActions::guarded(const std::function<void()>& work) {
    try {
        work();
        return true;
    } catch (const std::exception& failure) {
        m_parts.session->messages()->post(Severity::Error, QString::fromUtf8(failure.what()));
        Q_EMIT somethingWrongSaid();
        return false;
    }
}

bool SessionActions::replacing(const std::function<void()>& work) {
    const bool done = guarded(work);
    if (!done)
        m_parts.autosave->flush();
    return done;
}

/// What was typed into a field of the session and not confirmed belongs to it too. Other fields are none of its business.
void SessionActions::commitField() {
    if (auto* field = qobject_cast<QLineEdit*>(m_parts.window->focusWidget()); field && holdsUnconfirmedEdit(field))
        Q_EMIT field->editingFinished();
}

bool SessionActions::mayClose() {
    commitField();
    Session* session = m_parts.session;
    // One that was kept aside at the last start is whole on the disk, and still has no name of its own.
    const bool keptAside = session->folder().empty() && m_parts.autosave->exists();
    const bool hasDrafts = !session->drafts()->keys().empty() || session->drafts()->hasUnread(); // an architecture can be all that there is
    if ((session->isEmpty() && !hasDrafts) || (!session->isModified() && !keptAside))
        return true;
    switch (m_dialogs->askUnsaved(m_parts.window, session->name(), !session->folder().empty())) {
    case FileDialogs::Unsaved::Save:
        return save();
    case FileDialogs::Unsaved::Discard:
        m_parts.autosave->discardChanges();
        return true;
    case FileDialogs::Unsaved::Cancel:
        break;
    }
    return false;
}

bool SessionActions::mayReplace() {
    if (!mayClose())
        return false;
    keepView();
    return true;
}

void SessionActions::keepView() {
    Session* session = m_parts.session;
    const OpenUtterance* current = std::as_const(*session).currentUtterance();
    if (current && current->state == OpenState::Reading) // nothing of it is shown yet: what was kept last stays
        return;
    if (session->folder().empty())
        return m_parts.autosave->keepView(session->name() == demoName() ? demoSessionFolder() : std::filesystem::path());
    if (session->isModified() || m_ownHash.empty() || hashOnDisk(session->folder()) != m_ownHash)
        return;
    try {
        beforeSaving();
        const SessionDocument now = session->document();
        if (!looksTheSame(readSession(session->folder()), now))
            writeView(session->folder(), now, m_ownHash);
    } catch (const Error&) { // a session that one may only read opens as it was saved
    }
}

void SessionActions::opened(const QString& folder) {
    m_parts.session->messages()->settle(folder); // that it was set aside
    m_parts.settings->addRecentSession(folder);
    m_parts.settings->setLastSession(folder);
}

void SessionActions::openSession(const QString& folder) {
    if (!guarded([&] { readSession(toPath(folder)); }) || !mayReplace()) // nothing is asked for a folder that is no session
        return;
    replacing([&] {
        m_parts.session->messages()->clear(); // they were about what is closed
        m_parts.session->openSession(toPath(folder));
        rememberFile();
        m_parts.autosave->discard();
        opened(toQString(m_parts.session->folder()));
    });
}

void SessionActions::openDemo() {
    replacing([&] {
        const std::filesystem::path folder = demoSessionFolder();
        if (folder.empty())
            throw Error("session.missing",
                        tr("The demo session is missing from the installation: %1 has no demo/demo.headroom.").arg(toQString(resourceFolder())).toStdString());
        m_parts.session->openCopy(folder, demoName(), m_parts.autosave->viewFolder());
        m_parts.settings->setLastSession(toQString(folder));
    });
}

void SessionActions::openFiles(const QStringList& files) {
    std::vector<std::filesystem::path> paths;
    for (const QString& file : files) {
        const auto path = toPath(QDir::cleanPath(QFileInfo(file).absoluteFilePath()));
        if (StudyStore::isStudy(path))
            Q_EMIT studyWanted(toQString(path));
        else
            paths.push_back(path);
    }
    Session* session = m_parts.session;
    const int utterances = session->utterances()->count();
    bool said = false; // again, too
    QObject listener;
    connect(session->messages(), &Messages::posted, &listener, [&said] { said = true; });
    const bool hadModel = session->models()->count() > 0;
    session->open(paths);
    m_lastModel->takeAlongWithRecording(!hadModel && session->models()->count() == 0 && session->utterances()->count() > utterances);
    if (said)
        Q_EMIT somethingWrongSaid();
}

void SessionActions::start(const QStringList& files) {
    AppSettings* settings = m_parts.settings;
    Autosave* kept = m_parts.autosave;
    const QString last = settings->lastSession();
    const bool lastWasDemo = !last.isEmpty() && toPath(last) == demoSessionFolder();
    const bool isFirst = settings->windowGeometry().isEmpty() && last.isEmpty() && settings->recentSessions().isEmpty();
    const bool opensLast = files.isEmpty() && (isFirst || settings->opensLastSession());
    const bool restores = opensLast && kept->exists() && (last.isEmpty() || lastWasDemo);
    setAside(restores, lastWasDemo ? demoName() : tr("Untitled"));
    if (!opensLast)
        return openFiles(files);
    if (restores) {
        guarded([&] {
            m_parts.session->openCopy(kept->folder(), lastWasDemo ? demoName() : QString());
            m_parts.session->setModified(); // it still has no name of its own
        });
        return;
    }
    if (isFirst || lastWasDemo)
        return openDemo();
    if (!last.isEmpty() && isSession(last))
        guarded([&] {
            m_parts.session->openSession(toPath(last));
            rememberFile();
        });
}

bool SessionActions::save() {
    commitField();
    if (m_parts.session->folder().empty())
        return saveAs();
    if (changedOnDisk())
        switch (m_dialogs->askChanged(m_parts.window, m_parts.session->name(), changedHere())) {
        case FileDialogs::Changed::SaveAs:
            return saveAs();
        case FileDialogs::Changed::Reload:
            return reload();
        case FileDialogs::Changed::Cancel:
            return false;
        case FileDialogs::Changed::Overwrite:
            break;
        }
    beforeSaving();
    return guarded([&] {
        m_parts.session->save();
        rememberFile();
        m_writtenHash = m_ownHash;
    });
}

void SessionActions::rememberFile() {
    m_ownHash = m_knownHash = hashOnDisk(m_parts.session->folder());
    Q_EMIT fileRemembered();
}

void SessionActions::keepMine() {
    m_knownHash = hashOnDisk(m_parts.session->folder());
    m_parts.session->setModified(); // what is shown here is not what is saved
    Q_EMIT fileRemembered();
}

bool SessionActions::reload() {
    m_parts.autosave->discardChanges();
    return replacing([&] {
        m_parts.session->openSession(m_parts.session->folder());
        rememberFile();
    });
}

bool SessionActions::changedOnDisk() const {
    const std::string now = hashOnDisk(m_parts.session->folder());
    return !now.empty() && now != m_knownHash;
}

bool SessionActions::changedHere() const {
    return changedOnDisk() && hashOnDisk(m_parts.session->folder()) == m_writtenHash;
}

bool SessionActions::saveAs() {
    const QString suggested = QDir(m_parts.settings->lastFolder(AppSettings::FolderOf::Sessions)).filePath(m_parts.session->name() + QLatin1String(kSessionSuffix));
    const QString folder = m_dialogs->save(m_parts.window, tr("Save session"), suggested, {tr("Headroom session (*.headroom)")});
    if (folder.isEmpty())
        return false;
    beforeSaving();
    return guarded([&] {
        m_parts.session->saveAs(toPath(folder));
        rememberFile();
        m_writtenHash = m_ownHash;
        m_parts.autosave->discard();
        opened(toQString(m_parts.session->folder()));
        m_parts.settings->setLastFolder(AppSettings::FolderOf::Sessions, QFileInfo(folder).absolutePath());
    });
}

bool SessionActions::mayEnd() {
    commitField();
    if (m_parts.session->folder().empty())
        return true;
    return mayClose();
}

void SessionActions::remember() {
    if (m_parts.session->folder().empty())
        m_parts.autosave->flush();
    else
        m_parts.autosave->discardChanges(); // saved, or not wanted
    keepView();
    if (m_parts.session->isEmpty() && !m_parts.autosave->exists())
        m_parts.settings->setLastSession({});
    else if (!m_parts.session->folder().empty())
        m_parts.settings->setLastSession(toQString(m_parts.session->folder()));
}

bool SessionActions::canTake(const QMimeData* data) {
    return data->hasUrls() && !localFiles(data).isEmpty();
}

void SessionActions::take(const QMimeData* data) {
    openFiles(localFiles(data));
}

} // namespace headroom::app
