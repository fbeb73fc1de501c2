// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/last_model.h"
#include "app/window/main_window.h"

#include "app/aligning/aligning.h"
#include "app/documents/drafts/drafts.h"
#include "app/documents/items/paths.h"
#include "app/documents/saving/autosave.h"
#include "app/documents/saving/unused_recordings.h"
#include "app/parts/actions.h"
#include "app/parts/availability.h"
#include "app/settings/app_settings.h"
#include "app/studies/latency_measurements.h"
#include "app/studies/study_evidence.h"
#include "app/studies/study_store.h"
#include "app/window/find_action.h"
#include "app/window/full_screen.h"
#include "app/window/menus.h"
#include "app/window/page_area.h"
#include "app/window/recovery_offer.h"
#include "app/window/session_actions.h"
#include "app/window/session_name.h"
#include "app/window/session_watch.h"
#include "app/window/status_bar.h"
#include "app/window/theme_switch.h"
#include "app/window/tool_bar.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/analyse/start/start_page.h"
#include "app/workspaces/design/design_workspace.h"
#include "app/workspaces/train/train_workspace.h"
#include "widgets/look/sizes.h"
#include "widgets/look/text_size.h"

#include <QAction>
#include <QCloseEvent>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QScreen>
#include <QStackedWidget>
#include <QStyle>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::app {

using widgets::Sizes;

namespace {
constexpr QSize kSmallestScreen(1280, 720);
} // namespace

MainWindow::MainWindow(AppSettings* settings, ThemeSwitch* theme, QWidget* parent)
    : QMainWindow(parent)
    , m_settings(settings)
    , m_analysis(&m_session, &m_worker)
    , m_autosave(new Autosave(&m_session, Autosave::defaultFolder(), this))
    , m_actions(new Actions(m_session.undoStack(), this))
    , m_sessionActions(
          new SessionActions({&m_session, settings, m_autosave, m_actions, &m_dialogs, this}, this))
    , m_evidence(new StudyEvidence(this))
    , m_studies(new StudyStore(StudyStore::defaultFolder(settings->studiesFolder()), m_evidence, this))
    , m_latency(new LatencyMeasurements(m_studies, this))
    , m_drafts(m_session.drafts())
    , m_area(new PageArea(this))
    , m_pages(m_area->pages())
    , m_sessionName(new SessionName(menuBar())) {
    setObjectName(QStringLiteral("headroom"));
    setAcceptDrops(true);
    makeWorkspaces();
    makeBars(theme);
    connectActions();
    connectStatus();
    connectStartPage();
    connectView();
    updateTitle();
    resize(firstSize());
}

/// 1600 × 1000 where the screen has room for that and the frame around it. A small screen gets a smaller window, with its
/// status bar in sight.
QSize MainWindow::firstSize(QSize screen, QSize available, int titleBar) {
    const double unit = Sizes::unit();
    const QSize wanted(qRound(unit * 200), qRound(unit * 125));
    if (screen.width() < kSmallestScreen.width() || screen.height() < kSmallestScreen.height())
        return {qRound(unit * 160), qRound(unit * 90)}; // Headroom needs a larger screen
    return wanted.boundedTo(available - QSize(qRound(unit * 2), titleBar + qRound(unit * 2)));
}

QSize MainWindow::firstSize() const {
    return firstSize(screen()->size(), screen()->availableSize(), style()->pixelMetric(QStyle::PM_TitleBarHeight));
}

MainWindow::~MainWindow() {
    // Views go before what they show; nobody listens to the last words of worker and session any more.
    for (QObject* source :
         std::initializer_list<QObject*>{&m_session, m_session.messages(), &m_worker, &m_analysis})
        source->disconnect(this);
    delete takeCentralWidget();
    m_workspaces.clear();
    delete m_latency;
    delete m_studies;
    delete m_evidence;
    delete m_toolBar;
    delete m_status;
    delete m_sessionActions;
    delete m_autosave;
    delete m_actions;
}

/// The workspaces in the order of the switch, and the ways from one to another.
void MainWindow::makeWorkspaces() {
    // Every part is made where it stays: Qt tells all widgets of a workspace of their style whenever it gets another parent.
    auto* centre = new QWidget(this);
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_area, 1);
    setCentralWidget(centre);
    m_analyse = new AnalyseWorkspace(
        {&m_session, &m_analysis, &m_worker, m_actions, m_evidence, m_studies, m_settings, &m_dialogs, &m_places, &m_devices},
        m_pages);
    m_design =
        new DesignWorkspace({&m_session, &m_analysis, m_evidence, m_drafts, m_actions, m_settings, &m_dialogs, m_latency},
                            m_pages);
    m_train = new TrainWorkspace({&m_session, m_drafts, m_settings, m_actions, &m_places, &m_devices, {}}, m_pages);
    m_workspaces = {m_analyse, m_design, m_train};
    for (Workspace* workspace : m_workspaces) {
        m_pages->addWidget(workspace);
        connect(workspace, &Workspace::showInFolderRequested, this, &MainWindow::openInFileManager);
    }
    m_watch = new SessionWatch(&m_session, m_sessionActions, this);
    m_watch->setObjectName(QStringLiteral("sessionWatch"));
    column->insertWidget(0, m_watch);
    m_recovery = new RecoveryOffer(&m_session, m_sessionActions, m_autosave, this);
    m_recovery->setObjectName(QStringLiteral("recoveryOffer"));
    column->insertWidget(0, m_recovery);
    m_unused = new UnusedRecordings(&m_session, m_sessionActions);
    m_unused->otherSessions = [this] {
        std::vector<std::filesystem::path> folders;
        for (const QString& session : m_settings->recentSessions())
            folders.push_back(toPath(session));
        return folders;
    };
    m_unused->isReadElsewhere = [this](const std::filesystem::path& file) { return m_studies->mayRead(file); };
    connect(m_sessionActions, &SessionActions::fileRemembered, m_unused, &UnusedRecordings::moveAway);
    connect(m_train, &TrainWorkspace::openResultRequested, m_analyse, &AnalyseWorkspace::openResult);
    connect(m_train, &TrainWorkspace::openUtteranceRequested, this,
            [this](const std::filesystem::path& model, const CorpusUtterance& utterance) {
                m_analyse->openAlone(model);
                m_session.setCurrentUtterance(m_session.openUtterance(utterance));
            });
    auto* aligning = new Aligning(&m_session, &m_worker, &m_dialogs, this);
    connect(m_analyse, &AnalyseWorkspace::alignRequested, aligning, &Aligning::ask);
    connect(m_analyse, &AnalyseWorkspace::recordingAdded, m_sessionActions->lastModel(), &LastModel::takeAlong);
}

void MainWindow::makeBars(ThemeSwitch* theme) {
    m_toolBar = new ToolBar(*m_actions, m_workspaces, this);
    m_status = new StatusBar(*m_actions, m_session.messages(), this);
    setStatusBar(m_status);
    addToolBar(m_toolBar);
    m_area->setAround({menuBar(), m_toolBar, m_status, m_watch, m_recovery});
    const Menus menus = fillMenuBar(menuBar(), *m_actions, m_workspaces);
    connect(menus.recent, &QMenu::aboutToShow, this,
            [this, menu = menus.recent] { m_sessionActions->fillRecent(menu); });
    widgets::withTextSize(menuBar(), [bar = menuBar()] {
        // Where its words do not fit by a single pixel, a menu bar shows none of them. The space below them is not needed.
        const int needed = bar->sizeHint().height() - bar->style()->pixelMetric(QStyle::PM_MenuBarVMargin, nullptr, bar);
        bar->setFixedHeight(std::max(Sizes::control(), needed));
    });
    QList<Actions::Listed> listed = m_actions->all();
    for (const Workspace* workspace : m_workspaces)
        listed += workspace->listedActions();
    for (const Actions::Listed& one : listed)
        m_toolBar->findField()->offer(one.action, one.section);
    const auto offer = [this](const Workspace* workspace, const QList<QAction*>& shows, const QString& section) {
        for (QAction* show : shows) {
            m_toolBar->findField()->offer(show, section.arg(workspace->switchAction()->text()));
            connect(show, &QAction::triggered, this, [this, workspace, show] {
                if (workspace == current())
                    return;
                workspace->switchAction()->trigger();
                show->trigger(); // the first show may have laid it out otherwise
            });
        }
    };
    for (const Workspace* workspace : m_workspaces) {
        offer(workspace, workspace->showPanelActions(), tr("Window, %1"));
        offer(workspace, workspace->showTabActions(), tr("Tab, %1"));
    }
    theme->connectActions(*m_actions);
    m_analyse->fillFigureMenu(menus.figures);
}

Workspace* MainWindow::current() const {
    return m_workspaces.at(m_pages->currentIndex());
}

void MainWindow::showWorkspace(const QString& name) {
    for (const Workspace* workspace : m_workspaces)
        if (workspace->objectName() == name)
            workspace->switchAction()->trigger();
}

bool MainWindow::isPending() const {
    return m_session.isReading() || m_analysis.isBusy() || m_studies->isPending() || m_latency->isReading() ||
           current()->isPending();
}

/// Only what belongs to the workspace shown stands in the Window menu and in the status bar. Panels of the
/// others are found where the one shown has none of that name.
void MainWindow::showCurrent() {
    QStringList own;
    for (const QAction* panel : current()->showPanelActions())
        own << panel->text();
    for (const Workspace* workspace : m_workspaces) {
        for (QAction* panel : workspace->panelActions())
            panel->setVisible(workspace == current());
        for (QAction* panel : workspace->showPanelActions())
            panel->setVisible(workspace == current() || !own.contains(panel->text()));
    }
    showStatus();
}

void MainWindow::showStatus() {
    m_status->say(current()->statusText());
}

void MainWindow::updateActions() {
    setAvailable(m_actions->cancel, m_analysis.isBusy() ? QString() : tr("Nothing is being computed."));
    const QString nothing = m_session.isEmpty() ? tr("Open a recording or a model first.") : QString();
    setAvailable(m_actions->saveSession, nothing);
    setAvailable(m_actions->saveSessionAs, nothing);
}

void MainWindow::updateTitle() {
    const QString name = m_session.name();
    m_sessionName->setName(name);
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

/// The screen may be smaller than the one that the window was on.
void MainWindow::takeGeometry(const QByteArray& geometry) {
    restoreGeometry(geometry);
    const QRect room = screen()->availableGeometry();
    const int titleBar = style()->pixelMetric(QStyle::PM_TitleBarHeight);
    if (!isMaximized() && !isFullScreen() && (width() > room.width() || height() + titleBar > room.height())) {
        resize(firstSize());
        move(room.topLeft());
    }
}

/// Before the first show, so that the workspaces are laid out at the size that they will have.
void MainWindow::setVisible(bool visible) {
    if (visible && !m_wasShown && m_remembersGeometry) {
        if (const QByteArray geometry = m_settings->windowGeometry(); !geometry.isEmpty())
            takeGeometry(geometry);
        for (Workspace* workspace : m_workspaces)
            if (const QByteArray state = m_settings->windowState(workspace->objectName()); !state.isEmpty())
                workspace->restoreLayout(state);
    }
    m_wasShown = m_wasShown || visible;
    QMainWindow::setVisible(visible);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!m_sessionActions->mayEnd())
        return event->ignore();
    m_sessionActions->remember();
    m_unused->moveAway();
    if (m_remembersGeometry) {
        m_settings->setWindowGeometry(saveGeometry());
        for (const Workspace* workspace : m_workspaces)
            m_settings->setWindowState(workspace->objectName(), workspace->savedLayout());
    }
    QMainWindow::closeEvent(event);
}

} // namespace headroom::app
