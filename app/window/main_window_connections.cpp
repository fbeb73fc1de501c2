// SPDX-License-Identifier: GPL-3.0-or-later
// What the actions of the window, its status bar, the start page and the session's view lead to.
#include "app/documents/assign_maps.h"
#include "app/documents/drafts/drafts.h"
#include "app/documents/drafts/set_heads.h"
#include "app/documents/items/paths.h"
#include "app/documents/removals.h"
#include "app/parts/actions.h"
#include "app/parts/availability.h"
#include "app/parts/view_values.h"
#include "app/settings/app_settings.h"
#include "app/studies/study_store.h"
#include "app/window/action_problems.h"
#include "app/window/device_menu.h"
#include "app/window/field_keys.h"
#include "app/window/find_action.h"
#include "app/window/full_screen.h"
#include "app/window/main_window.h"
#include "app/window/on_screen.h"
#include "app/window/session_actions.h"
#include "app/window/status_bar.h"
#include "app/window/tool_bar.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/start/start_page.h"
#include "app/workspaces/design/design_workspace.h"
#include "app/workspaces/train/train_workspace.h"

#include <QAction>
#include <QApplication>
#include <QStackedWidget>

namespace headroom::app {

namespace {

constexpr const char* kWorkspaceKey = "workspace"; ///< of a session's view: the object name of the one that was shown

} // namespace

void MainWindow::connectActions() {
    const Actions& a = *m_actions;
    qApp->installEventFilter(new DisabledReasons(this));
    qApp->installEventFilter(new FieldKeys(this));
    qApp->installEventFilter(new OnScreen(this));
    connect(a.quit, &QAction::triggered, this, &QWidget::close);
    connect(a.findAction, &QAction::triggered, m_toolBar->findField(), &FindAction::ask);
    connect(a.resetLayout, &QAction::triggered, this, [this] { current()->resetLayout(); });
    connectHelp();
    connectFullScreen(a.fullScreen, this);
    connect(a.cancel, &QAction::triggered, &m_analysis, &AnalysisService::cancel);
    for (Workspace* workspace : m_workspaces)
        connect(workspace->switchAction(), &QAction::triggered, this, [this, workspace] {
            m_pages->setCurrentWidget(workspace);
            workspace->setFocus(Qt::ShortcutFocusReason);
            showCurrent();
        });
    showCurrent();
    connect(m_sessionActions, &SessionActions::studyWanted, m_studies,
            [this](const QString& folder) { m_studies->open(toPath(folder)); });
    connect(m_sessionActions, &SessionActions::somethingWrongSaid, this,
            [this] { current()->showMessages(); });
    new ActionProblems(this, m_session.messages(), [this] { current()->showMessages(); });
}

void MainWindow::connectStatus() {
    const auto showWorker = [this] { m_toolBar->showWorker(m_worker); };
    connect(&m_worker, &WorkerProcess::stateChanged, this, showWorker);
    showWorker();
    new DeviceMenu(m_toolBar->workerMenu(), {&m_places, &m_worker, &m_analysis, &m_devices}, this);
    const auto showProgress = [this] { m_status->showProgress(m_analysis.progress(), m_analysis.isBusy()); };
    connect(&m_analysis, &AnalysisService::progressChanged, this, showProgress);
    connect(&m_analysis, &AnalysisService::busyChanged, this, [this, showProgress] {
        showProgress();
        updateActions();
    });
    for (Workspace* workspace : m_workspaces)
        connect(workspace, &Workspace::shownChanged, this, &MainWindow::showStatus);
    connect(m_status, &StatusBar::messagesRequested, this, [this] { current()->showMessages(); });
    m_status->followUndo(m_session.undoStack(), [this](const QUndoCommand& step) {
        const auto removed = removedBy(step);
        if (removed == Removed::Runs)
            return current() == m_train ? QString() : tr("the runs");
        if (removed == Removed::Job)
            return current() == m_train ? QString() : tr("the queue");
        if (removed == Removed::Study)
            return current() == m_analyse ? QString() : tr("the studies");
        if (removed) // seen in the lists of Analyse, and of Design
            return current() == m_analyse || (current() == m_design && removed == Removed::Architecture) ? QString() : tr("the session");
        if (const auto* assigned = dynamic_cast<const AssignMaps*>(&step))
            return current() == m_analyse && assigned->maps() == m_session.currentModelId() && assigned->isOf(m_session.currentUtteranceId())
                       ? QString()
                       : tr("the imported maps");
        const auto* heads = dynamic_cast<const SetHeads*>(&step);
        if (!heads)
            return tr("the alignments");
        const DraftKey key = heads->key();
        // Design goes to the draft that was undone, but it has none of imported maps.
        const bool isSeen = (current() == m_design && key == m_drafts->current()) ||
                            (current() == m_analyse && key.document == 0 && key.model == m_session.currentModelId() &&
                             heads->changes(m_session.currentLayer()));
        return isSeen ? QString() : (key.document > 0 ? tr("the architecture “%1”") : tr("the draft of “%1”")).arg(m_drafts->shownName(key));
    });
    connect(&m_session, &Session::nameChanged, this, &MainWindow::updateTitle);
    connect(&m_session, &Session::modifiedChanged, this, &MainWindow::updateTitle);
    connect(&m_session, &Session::modelAdded, this, &MainWindow::updateActions);
    connect(&m_session, &Session::modelRemoved, this, &MainWindow::updateActions);
    for (auto signal : {&Session::utteranceAdded, &Session::utteranceRemoved})
        connect(&m_session, signal, this, &MainWindow::updateActions);
}

void MainWindow::connectStartPage() {
    StartPage* start = m_analyse->startPage();
    start->setOpensLast(m_settings->opensLastSession());
    connect(start, &StartPage::opensLastToggled, m_settings, &AppSettings::setOpensLastSession);
    connect(start, &StartPage::recentChosen, m_sessionActions, &SessionActions::openSession);
    connect(start, &StartPage::recentForgotten, m_settings, &AppSettings::removeRecentSession);
    connect(start, &StartPage::showInFolderRequested, this, &MainWindow::openInFileManager);
    const auto fillStart = [this] { m_analyse->startPage()->setRecent(m_sessionActions->recent()); };
    connect(m_settings, &AppSettings::recentSessionsChanged, this, fillStart);
    connect(m_sessionActions, &SessionActions::fileRemembered, this, fillStart); // what it holds may have changed
    fillStart();
}

/// The view that a session keeps: one object, with a key for each workspace.
void MainWindow::connectView() {
    m_sessionActions->beforeSaving = [this] {
        nlohmann::json view = nlohmann::json::object();
        for (const Workspace* workspace : m_workspaces) {
            if (workspace->viewKey().isEmpty())
                view.update(workspace->viewState());
            else
                view[workspace->viewKey().toStdString()] = workspace->viewState();
        }
        view[kWorkspaceKey] = current()->objectName().toStdString();
        m_session.setViewState(std::move(view));
    };
    connect(&m_session, &Session::viewStateRestored, this, [this] {
        const nlohmann::json& view = m_session.viewState();
        for (Workspace* workspace : m_workspaces) {
            const std::string key = workspace->viewKey().toStdString();
            workspace->restoreView(key.empty() ? view : view.value(key, nlohmann::json()));
        }
        if (const auto shown = stringIn(view, kWorkspaceKey))
            showWorkspace(QString::fromStdString(*shown));
    });
}

} // namespace headroom::app
