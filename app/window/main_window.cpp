// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"

#include "app/aligning/aligning.h"
#include "app/documents/autosave.h"
#include "app/documents/drafts.h"
#include "app/documents/paths.h"
#include "app/parts/actions.h"
#include "app/settings/app_settings.h"
#include "app/studies/study_evidence.h"
#include "app/studies/study_store.h"
#include "app/window/design_page.h"
#include "app/window/export_actions.h"
#include "app/window/find_action.h"
#include "app/window/menus.h"
#include "app/window/session_actions.h"
#include "app/window/status_bar.h"
#include "app/window/theme_switch.h"
#include "app/window/tool_bar.h"
#include "app/window/train_page.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/map/map_presenter.h"
#include "app/workspaces/analyse/sound/time_field.h"
#include "app/workspaces/design/design_workspace.h"
#include "app/workspaces/train/train_actions.h"
#include "app/workspaces/train/train_workspace.h"
#include "widgets/look/metrics.h"

#include <QAction>
#include <QActionGroup>
#include <QCloseEvent>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QStackedWidget>
#include <QUrl>

namespace headroom::app {

using widgets::Metrics;

MainWindow::MainWindow(AppSettings* settings, ThemeSwitch* theme, QWidget* parent)
    : QMainWindow(parent)
    , m_settings(settings)
    , m_analysis(&m_session, &m_worker)
    , m_autosave(new Autosave(&m_session, Autosave::defaultFolder(), this))
    , m_actions(new Actions(m_session.undoStack(), this))
    , m_sessionActions(new SessionActions({&m_session, settings, m_autosave, m_actions, this}, this))
    , m_evidence(new StudyEvidence(this))
    , m_studies(new StudyStore(StudyStore::defaultFolder(settings->studiesFolder()), m_evidence, this))
    , m_workspaces(new QStackedWidget(this))
    , m_analyse(new AnalyseWorkspace(
          {&m_session, &m_analysis, &m_worker, m_actions, m_evidence, m_studies, settings}, this))
    , m_toolBar(new ToolBar(*m_actions, this))
    , m_status(new StatusBar(*m_actions, m_session.messages(), this))
    , m_drafts(new Drafts(&m_session, this))
    , m_sessionName(new QLabel(this)) {
    setObjectName(QStringLiteral("headroom"));
    setAcceptDrops(true);
    m_train = new TrainPage(this, m_drafts);
    m_design = new DesignPage(this, m_drafts, m_train->actions().trainThis);
    m_workspaces->addWidget(m_analyse);
    m_workspaces->addWidget(m_design->workspace());
    m_workspaces->addWidget(m_train->workspace());
    setCentralWidget(m_workspaces);
    setStatusBar(m_status);
    addToolBar(m_toolBar);
    const Menus menus = fillMenuBar(menuBar(), *m_actions,
                                    m_analyse->panelActions() + m_design->workspace()->panelActions() +
                                        m_train->workspace()->panelActions());
    menuBar()->insertMenu(menus.window->menuAction(), m_design->makeMenu(menuBar()));
    menuBar()->insertMenu(menus.window->menuAction(), m_train->makeMenu(menuBar()));
    connect(menus.recent, &QMenu::aboutToShow, this,
            [this, menu = menus.recent] { m_sessionActions->fillRecent(menu); });
    m_sessionName->setProperty("caption", true);
    m_sessionName->setContentsMargins(0, 0, qRound(Metrics::unit()), 0);
    m_sessionName->setAlignment(Qt::AlignVCenter | Qt::AlignRight);
    // A menu bar lays its corner out once: room for the name of any session.
    m_sessionName->setFixedSize(Metrics::control() * 12, Metrics::control());
    menuBar()->setCornerWidget(m_sessionName);
    menuBar()->setFixedHeight(Metrics::control());
    for (const Actions::Listed& listed : m_actions->all())
        m_toolBar->findField()->offer(listed.action, listed.section);
    theme->connectActions(*m_actions);
    (new ExportActions(this))->fillMenu(menus.figures);
    connectActions();
    connectStatus();
    updateTitle();
    updateActions();
    resize(qRound(Metrics::unit() * 200), qRound(Metrics::unit() * 125));
}

MainWindow::~MainWindow() {
    // Views go before what they show; nobody listens to the last words of worker and session any more.
    for (QObject* source :
         std::initializer_list<QObject*>{&m_session, m_session.messages(), &m_worker, &m_analysis})
        source->disconnect(this);
    delete takeCentralWidget();
    delete m_design;
    delete m_train;
    delete m_drafts;
    delete m_studies;
    delete m_evidence;
    delete m_toolBar;
    delete m_status;
    delete m_sessionActions;
    delete m_autosave;
    delete m_actions;
}

bool MainWindow::isPending() const {
    return m_session.isReading() || m_analysis.isBusy() || m_analyse->isPending() ||
           (showsDesign() && m_design->workspace()->isPending()) ||
           (showsTrain() && m_train->workspace()->isPending());
}

void MainWindow::connectActions() {
    const Actions& a = *m_actions;
    connect(a.quit, &QAction::triggered, this, &QWidget::close);
    connect(a.findAction, &QAction::triggered, this,
            [this] { m_toolBar->findField()->setFocus(Qt::ShortcutFocusReason); });
    connect(a.resetLayout, &QAction::triggered, this, [this] {
        showsTrain()    ? m_train->workspace()->resetLayout()
        : showsDesign() ? m_design->workspace()->resetLayout()
                        : m_analyse->resetLayout();
    });
    connect(a.guide, &QAction::triggered, this, &MainWindow::showGuide);
    connect(a.about, &QAction::triggered, this, &MainWindow::showAbout);
    connect(a.cancel, &QAction::triggered, &m_analysis, &AnalysisService::cancel);
    connect(a.workspaces, &QActionGroup::triggered, this, [this](QAction* workspace) {
        m_workspaces->setCurrentIndex(int(m_actions->workspaces->actions().indexOf(workspace)));
        m_workspaces->currentWidget()->setFocus();
        showWorkspace();
    });
    showWorkspace();
    connect(a.toStart, &QAction::triggered, this, [this] {
        m_analyse->axis()->setCursor(Seconds(0));
        m_analyse->axis()->reveal(Seconds(0));
    });
    StartPage* start = m_analyse->startPage();
    start->setOpensLast(m_settings->opensLastSession());
    connect(start, &StartPage::opensLastToggled, m_settings, &AppSettings::setOpensLastSession);
    connect(start, &StartPage::recentChosen, m_sessionActions, &SessionActions::openSession);
    const auto fillStart = [this] { m_analyse->startPage()->setRecent(m_sessionActions->recent()); };
    connect(m_settings, &AppSettings::recentSessionsChanged, this, fillStart);
    fillStart();
    connect(m_analyse, &AnalyseWorkspace::showInFolderRequested, this, &MainWindow::openInFileManager);
    auto* aligning = new Aligning(&m_session, &m_worker, m_sessionActions, this);
    connect(m_analyse, &AnalyseWorkspace::alignRequested, aligning, &Aligning::ask);
    connect(m_train->workspace(), &TrainWorkspace::showInFolderRequested, this,
            &MainWindow::openInFileManager);
    connect(m_analyse, &AnalyseWorkspace::recordingAdded, m_sessionActions, &SessionActions::takeModelAlong);
    connect(m_sessionActions, &SessionActions::studyWanted, m_studies,
            [this](const QString& folder) { m_studies->open(toPath(folder)); });
    connect(m_sessionActions, &SessionActions::somethingWrongSaid, m_analyse,
            &AnalyseWorkspace::showMessages);
    m_sessionActions->beforeSaving = [this] {
        nlohmann::json view = m_analyse->viewState();
        view["design"] = m_design->workspace()->viewState();
        view["train"] = m_train->workspace()->viewState();
        m_session.setViewState(std::move(view));
    };
    connect(&m_session, &Session::viewStateRestored, this, [this] {
        m_analyse->restoreView(m_session.viewState());
        m_design->workspace()->restoreView(m_session.viewState().value("design", nlohmann::json()));
        m_train->workspace()->restoreView(m_session.viewState().value("train", nlohmann::json()));
    });
}

void MainWindow::connectStatus() {
    const auto showWorker = [this] { m_toolBar->showWorker(m_worker); };
    connect(&m_worker, &WorkerProcess::stateChanged, this, showWorker);
    showWorker();
    const auto showProgress = [this] { m_status->showProgress(m_analysis.progress(), m_analysis.isBusy()); };
    connect(&m_analysis, &AnalysisService::progressChanged, this, showProgress);
    connect(&m_analysis, &AnalysisService::busyChanged, this, [this, showProgress] {
        showProgress();
        updateActions();
    });
    connect(m_status, &StatusBar::messagesRequested, this, [this] {
        showsTrain()    ? m_train->workspace()->showMessages()
        : showsDesign() ? m_design->workspace()->showMessages()
                        : m_analyse->showMessages();
    });
    connect(m_design->workspace(), &DesignWorkspace::shownChanged, this, &MainWindow::sayStatus);
    connect(m_train->workspace(), &TrainWorkspace::shownChanged, this, &MainWindow::sayStatus);
    connect(m_analyse, &AnalyseWorkspace::shownChanged, this, [this] {
        sayStatus();
        updateActions();
        updateTime();
    });
    sayStatus();
    connect(m_analyse->axis(), &widgets::TimeAxis::cursorChanged, this, &MainWindow::updateTime);
    connect(m_analyse->axis(), &widgets::TimeAxis::extentChanged, this, &MainWindow::updateTime);
    connect(m_analyse->axis(), &widgets::TimeAxis::selectionChanged, this, &MainWindow::updateActions);
    connect(m_toolBar->timeField(), &TimeField::timeEntered, this, [this](Seconds time) {
        m_analyse->axis()->setCursor(time);
        m_analyse->axis()->reveal(time);
    });
    connect(&m_session, &Session::nameChanged, this, &MainWindow::updateTitle);
    connect(&m_session, &Session::modifiedChanged, this, &MainWindow::updateTitle);
    connect(&m_session, &Session::modelAdded, this, &MainWindow::updateActions);
    connect(&m_session, &Session::modelRemoved, this, &MainWindow::updateActions);
}

bool MainWindow::showsDesign() const {
    return m_workspaces->currentWidget() == m_design->workspace();
}

bool MainWindow::showsTrain() const {
    return m_workspaces->currentWidget() == m_train->workspace();
}

/// Only what belongs to the workspace shown stands in the Window menu and in the status bar.
void MainWindow::showWorkspace() {
    for (QAction* panel : m_analyse->panelActions())
        panel->setVisible(!showsTrain() && !showsDesign());
    for (QAction* panel : m_design->workspace()->panelActions())
        panel->setVisible(showsDesign());
    for (QAction* panel : m_train->workspace()->panelActions())
        panel->setVisible(showsTrain());
    sayStatus();
}

void MainWindow::sayStatus() {
    m_status->say(showsTrain()    ? m_train->workspace()->statusText()
                  : showsDesign() ? m_design->workspace()->statusText()
                                  : m_analyse->presenter()->statusText());
}

void MainWindow::updateTime() {
    const widgets::TimeAxis* axis = m_analyse->axis();
    const bool open = axis->extent().value() > 0;
    m_toolBar->timeField()->setTime(axis->cursor(), open ? std::optional(axis->extent()) : std::nullopt);
}

void MainWindow::updateActions() {
    const Actions& a = *m_actions;
    const bool sound = m_analyse->axis()->extent().value() > 0;
    const AnalysisResult* result = m_analysis.current();
    const bool model = m_session.currentModel() && m_session.currentModel()->info;
    const bool layers = result && result->readyLayers() > 0;
    for (QAction* action :
         {a.toStart, a.play, a.loop, a.zoomIn, a.zoomOut, a.fit, a.previousToken, a.nextToken, a.previousWord,
          a.nextWord, a.firstToken, a.lastToken, a.exportFigure, a.copyReadOut})
        action->setEnabled(sound);
    a.fitSelection->setEnabled(m_analyse->axis()->selection().has_value());
    for (QAction* action : {a.linkAxes, a.equalAxes, a.hideDiagonal, a.showWindow, a.focusWindow,
                            a.suggestedWindow, a.suggestedWindows, a.fullWindow, a.exportData})
        action->setEnabled(layers);
    a.previousLayer->setEnabled(model);
    a.nextLayer->setEnabled(model);
    a.compare->setEnabled(model || a.compare->isChecked());
    a.analyseAgain->setEnabled(model && sound);
    a.cancel->setEnabled(m_analysis.isBusy());
    a.saveSession->setEnabled(!m_session.isEmpty());
    a.saveSessionAs->setEnabled(!m_session.isEmpty());
}

void MainWindow::updateTitle() {
    const QString name =
        m_session.isEmpty() && m_session.folder().empty() ? tr("New session") : m_session.name();
    m_sessionName->setText(m_sessionName->fontMetrics().elidedText(name, Qt::ElideMiddle,
                                                                   m_sessionName->contentsRect().width()));
    m_sessionName->setToolTip(QDir::toNativeSeparators(toQString(m_session.folder())));
    setWindowTitle(tr("%1[*] – Headroom").arg(name));
    setWindowModified(m_session.isModified());
    updateActions();
}

void MainWindow::openInFileManager(const QString& path) {
    const QFileInfo info(path);
    QDesktopServices::openUrl(QUrl::fromLocalFile(info.isDir() ? path : info.absolutePath()));
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (SessionActions::canTake(event->mimeData()))
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    m_sessionActions->take(event->mimeData());
}

void MainWindow::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    if (event->spontaneous() || !m_remembersGeometry)
        return;
    if (const QByteArray geometry = m_settings->windowGeometry(); !geometry.isEmpty())
        restoreGeometry(geometry);
    if (const QByteArray state = m_settings->windowState(m_analyse->objectName()); !state.isEmpty())
        m_analyse->restoreState(state);
    if (const QByteArray state = m_settings->windowState(m_train->workspace()->objectName());
        !state.isEmpty())
        m_train->workspace()->restoreLayout(state);
    if (const QByteArray state = m_settings->windowState(m_design->workspace()->objectName());
        !state.isEmpty())
        m_design->workspace()->restoreLayout(state);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    m_sessionActions->remember();
    if (m_remembersGeometry) {
        m_settings->setWindowGeometry(saveGeometry());
        m_settings->setWindowState(m_analyse->objectName(), m_analyse->saveState());
        m_settings->setWindowState(m_design->workspace()->objectName(), m_design->workspace()->saveState());
        m_settings->setWindowState(m_train->workspace()->objectName(), m_train->workspace()->saveState());
    }
    QMainWindow::closeEvent(event);
}

} // namespace headroom::app
