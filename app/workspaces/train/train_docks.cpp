// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/items/paths.h"
#include "app/documents/session.h"
#include "app/parts/actions.h"
#include "app/parts/availability.h"
#include "app/parts/dock.h"
#include "app/parts/menu.h"
#include "app/parts/panel_header.h"
#include "app/workspaces/train/curves_panel.h"
#include "app/workspaces/train/data/data_view.h"
#include "app/workspaces/train/devices_panel.h"
#include "app/workspaces/train/launch_form.h"
#include "app/workspaces/train/train_actions.h"
#include "app/workspaces/train/train_pages.h"
#include "app/workspaces/train/train_workspace.h"
#include "widgets/look/context_menu.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/run_monitor/log_view.h"
#include "widgets/run_monitor/queue_view.h"
#include "widgets/run_monitor/run_comparison.h"
#include "widgets/run_monitor/run_table.h"
#include "widgets/run_monitor/run_words.h"
#include "widgets/run_monitor/samples_view.h"

#include <QAction>
#include <QActionGroup>
#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace headroom::app {

using widgets::Sizes;
using widgets::RunItem;
namespace fs = std::filesystem;

namespace {

/// "demo, seed 1 (update 50)": the model of a run that was stopped may be older than the run.
QString titleWithWeights(const widgets::RunItem& run) {
    const QString title = widgets::runTitle(run), exported = widgets::exportedText(run.weights);
    return exported.isEmpty() ? title : TrainWorkspace::tr("%1 (%2)").arg(title, exported);
}

QLineEdit* searchField(const QString& hint, QWidget* parent) {
    auto* field = new QLineEdit(parent);
    field->setPlaceholderText(hint);
    field->setClearButtonEnabled(true);
    field->setProperty("small", true);
    field->setAccessibleName(hint);
    field->setMinimumWidth(qRound(Sizes::unit() * 8));
    field->setMaximumWidth(qRound(Sizes::unit() * 16));
    return field;
}

} // namespace

void TrainWorkspace::makePanels() {
    m_form = new LaunchForm({m_parts.session, m_parts.drafts, &m_store, m_parts.settings, m_parts.places, m_parts.devices});
    m_queueView = new widgets::QueueView;
    m_curves = new CurvesPanel(this);
    m_curves->setObjectName(QStringLiteral("curves"));
    m_curves->setExportAction(m_actions->exportCurves);
    m_data = new DataView(m_parts.settings, this);
    m_middle = new MiddlePages(this);
    m_middle->addWidget(m_curves);
    m_middle->addWidget(m_data);
    setCentralWidget(m_middle);

    offerView(tr("Curves"), tr("loss learning rate progress plot training score"), [this] { m_actions->data->setChecked(false); });
    m_formDock = addDock(QStringLiteral("newRun"), tr("New run"), m_form);
    m_queueDock = addDock(QStringLiteral("queue"), tr("Queue"), m_queueView);
    auto* startQueue = m_queueDock->header()->addButton(m_actions->startQueue);
    const auto followQueue = [this, startQueue] {
        startQueue->setVisible(m_actions->startQueue->isEnabled());
    };
    connect(m_actions->startQueue, &QAction::changed, startQueue, followQueue);
    followQueue();
    m_runsDock = makeRunsDock();
    m_logDock = makeLogDock();
    m_devicesPanel = new DevicesPanel(m_parts.places, &m_store);
    m_devicesDock = addDock(QStringLiteral("devices"), tr("Devices"), m_devicesPanel);
    connect(m_devicesDock->toggleViewAction(), &QAction::triggered, this, [this](bool shown) {
        const int unit = qRound(Sizes::unit());
        if (shown) // as wide as its columns
            resizeDocks({m_queueDock, m_devicesDock}, {unit * 82, unit * 78}, Qt::Horizontal);
    });
    addMessagesDock(m_parts.session->messages());
    sayWhyEmpty();
    placeDocks();
    m_runs->setFocus();
}

Dock* TrainWorkspace::makeRunsDock() {
    m_runs = new widgets::RunTable;
    widgets::setContextMenu(m_runs, m_actions->menu());
    auto* latex = new QAction(widgets::icon(QStringLiteral("copy")), tr("Copy as LaTeX\tCtrl+Shift+C"), m_runs); // the table's own key
    connect(latex, &QAction::triggered, this, [this] { QGuiApplication::clipboard()->setText(m_runs->asLatex()); });
    widgets::setContextMenu(m_runs, {nullptr, widgets::makeCopyAction(m_runs, [this] { return m_runs->asText(); }), latex});
    auto* foot = new QLabel(noteOnRuns(*m_runs->runs()));
    const auto renew = [this, foot] { foot->setText(noteOnRuns(*m_runs->runs())); };
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(m_runs->runs(), signal, foot, renew);
    connect(m_runs->runs(), &QAbstractItemModel::dataChanged, foot, renew);
    foot->setObjectName(QStringLiteral("runsNote"));
    foot->setProperty("caption", true);
    foot->setContentsMargins(qRound(Sizes::unit() * 1.5), qRound(Sizes::unit() / 2), 0,
                             qRound(Sizes::unit() / 2));
    foot->setWordWrap(true);
    Dock* dock = addDock(QStringLiteral("runs"), tr("Runs"), new RunsPage(m_runs, foot));
    m_search = searchField(tr("Search runs"), dock->header());
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_runs->setSearch(text);
        showCurrent();
    });
    dock->header()->addTrailing(m_search);
    m_openResult = new QPushButton(widgets::iconOnAccent(QStringLiteral("matrix")), tr("Open in Analyse"), dock->header());
    m_openResult->setObjectName(QStringLiteral("openResultOfRow"));
    m_openResult->setProperty("primary", true);
    m_openResult->setProperty("small", true);
    connect(m_openResult, &QPushButton::clicked, this, &TrainWorkspace::openResultOfRow);
    dock->header()->addTrailing(m_openResult);
    dock->header()->yield(m_openResult); // the tool bar and the menu of a row have it too
    dock->header()->addButton(m_actions->compare);
    dock->header()->addButton(m_actions->remove);
    return dock;
}

Dock* TrainWorkspace::makeLogDock() {
    m_saying = new QStackedWidget;
    m_log = new widgets::LogView(m_saying);
    m_log->setPlaceholderText(tr("The log of the run that is chosen in Queue or Runs."));
    m_samples = new widgets::SamplesView(m_saying);
    m_saying->addWidget(m_log);
    m_saying->addWidget(m_samples);
    m_logPage = new LogPage(m_saying);
    Dock* dock = addDock(QStringLiteral("log"), tr("Log"), m_logPage);
    PanelHeader* header = dock->header();
    auto* follow = new QCheckBox(tr("Follow"), header);
    follow->setChecked(true);
    follow->setToolTip(tr("Keep the newest line visible. Scrolling back stops following."));
    connect(follow, &QCheckBox::toggled, m_log, &widgets::LogView::setFollows);
    connect(m_log, &widgets::LogView::followsChanged, follow, &QCheckBox::setChecked);
    m_logSearch = searchField(tr("Find in the log"), header);
    connect(m_logSearch, &QLineEdit::returnPressed, this, [this] { m_log->findNext(m_logSearch->text()); });
    connect(m_logSearch, &QLineEdit::textChanged, this,
            [this](const QString& text) { m_log->findNext(text); });
    for (QWidget* control : {static_cast<QWidget*>(follow), static_cast<QWidget*>(m_logSearch)}) {
        auto* yielding = new QWidget(header); // gives way in a narrow panel, whichever page is shown
        auto* row = new QHBoxLayout(yielding);
        row->setContentsMargins(0, 0, 0, 0);
        row->addWidget(control);
        header->addTrailing(yielding);
        header->yield(yielding);
    }
    const char* const words[] = {QT_TR_NOOP("Log"), QT_TR_NOOP("Examples")};
    auto* group = new QActionGroup(this);
    auto* pages = new QWidget(header);
    pages->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred); // the least width of a button is that of "…"
    auto* row = new QHBoxLayout(pages);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    for (int page = 0; page < 2; ++page) {
        auto* action = new QAction(tr(words[page]), group);
        action->setCheckable(true);
        action->setChecked(page == 0);
        auto* button = new QToolButton(pages);
        button->setDefaultAction(action);
        button->setProperty("segment", page == 0 ? "first" : "last");
        button->setProperty("small", true);
        row->addWidget(button);
        connect(action, &QAction::triggered, this, [this, page, follow, header] {
            m_saying->setCurrentIndex(page);
            follow->setVisible(page == 0);
            m_logSearch->setVisible(page == 0);
            header->setTitle(page == 0 ? tr("Log") : tr("Examples"));
        });
    }
    header->addTrailing(pages);
    return dock;
}

void TrainWorkspace::placeDocks() {
    m_actions->data->setChecked(false); // the first layout is that around the curves
    setCorner(Qt::TopLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    const auto place = [this](Dock* dock, Qt::DockWidgetArea area) {
        dock->setFloating(false);
        addDockWidget(area, dock);
        dock->show();
    };
    place(m_formDock, Qt::LeftDockWidgetArea);
    place(m_queueDock, Qt::TopDockWidgetArea);
    place(m_runsDock, Qt::BottomDockWidgetArea);
    place(m_logDock, Qt::BottomDockWidgetArea);
    splitDockWidget(m_runsDock, m_logDock, Qt::Horizontal);
    messagesDock()->setFloating(false);
    addDockWidget(Qt::BottomDockWidgetArea, messagesDock());
    tabifyDockWidget(m_runsDock, messagesDock()); // a column of its own would be too narrow to read
    messagesDock()->hide();
    m_devicesDock->setFloating(false);
    splitDockWidget(m_queueDock, m_devicesDock, Qt::Horizontal);
    m_devicesDock->hide(); // it asks every place every few seconds
    sizeDocks();
}

/// Sizes count once the workspace has one itself: at the first show, and at every reset after it.
void TrainWorkspace::sizeDocks() {
    const int unit = qRound(Sizes::unit());
    resizeDocks({m_formDock}, {unit * 40}, Qt::Horizontal);
    resizeDocks({m_runsDock, m_logDock}, {unit * 97, unit * 63}, Qt::Horizontal);
    // The curves are what one looks at: in a low window the tables, which scroll, give way.
    resizeDocks({m_queueDock, m_runsDock},
                {std::max(usualQueueHeight(), queueHeight()), std::min(unit * 41, height() * 32 / 100)},
                Qt::Vertical);
}

int TrainWorkspace::usualQueueHeight() const {
    return std::min(qRound(Sizes::unit()) * 33, height() * 24 / 100);
}

/// The height at which the panel shows three rows of the queue, at most 32 % of the window. With fewer, what comes next is hidden.
int TrainWorkspace::queueHeight() const {
    const int rows = m_queueView->horizontalHeader()->sizeHint().height() + 3 * m_queueView->verticalHeader()->defaultSectionSize() +
                     m_queueView->horizontalScrollBar()->sizeHint().height() + 2 * m_queueView->frameWidth();
    return std::min(m_queueDock->header()->sizeHint().height() + rows, height() * 32 / 100);
}

void TrainWorkspace::roomForText() {
    if (const int wanted = wantedHeight(m_queueDock); wanted > 0 && wanted < usualQueueHeight())
        return; // the user made it lower
    if (m_queueDock->isVisible() && !m_queueDock->isFloating() && m_queueDock->height() < queueHeight())
        resizeDocks({m_queueDock}, {queueHeight()}, Qt::Vertical);
}

/// The words beside the panels' names.
void TrainWorkspace::showCurrent() {
    const RunItem* run = m_store.find(m_current);
    const EvaluationInfo* evaluation = run ? nullptr : m_store.findEvaluation(m_current);
    const widgets::WaitingItem* job = m_store.findWaiting(m_current);
    const fs::path row = m_queueView->currentPath();
    const bool isOfAnother = run && row != m_current && runInQueue(row) == m_current; // an evaluation, or the job that resumes the run
    m_logPage->setRun(isOfAnother  ? tr("The training of %1").arg(widgets::runTitle(*run))
                      : run        ? widgets::runTitle(*run)
                      : evaluation ? m_store.titleOf(*evaluation)
                      : job        ? job->name
                                   : QString());
    const int running = m_queueView->queue()->running(), queued = m_queueView->queue()->queued();
    const int paused = m_queueView->queue()->paused();
    const int copying = m_queueView->queue()->copying(), pending = m_queueView->queue()->pending();
    const int lost = m_queueView->queue()->lost(), jobCount = running + paused + queued + copying + pending + lost;
    QStringList jobs;
    if (paused > 0)
        jobs << tr("%1 paused").arg(paused);
    if (jobCount > 0)
        jobs << tr("%1 running").arg(running);
    if (lost > 0)
        jobs << tr("%1 without contact").arg(lost);
    if (copying > 0)
        jobs << tr("%1 copying").arg(copying);
    if (pending > 0)
        jobs << tr("%1 pending").arg(pending);
    if (jobCount > 0)
        jobs << tr("%1 queued").arg(queued);
    m_queueDock->header()->setDetail(jobs.join(QStringLiteral(", ")));
    const int shown = m_runs->shownRuns(), all = static_cast<int>(m_store.runs().size()),
              rows = m_runs->shownRows();
    m_curves->setHasRuns(all > 0);
    const QString count = shown == all ? QString::number(all) : tr("%1 of %2").arg(shown).arg(all);
    m_runsDock->header()->setDetail(rows == shown ? count
                                    : rows == 1   ? tr("%1 in 1 experiment").arg(count)
                                                  : tr("%1 in %2 experiments").arg(count).arg(rows),
                                    count); // alone in a narrow panel: "4 in …" says nothing
}

QList<QMenu*> TrainWorkspace::makeMenus(QWidget* parent) const {
    QList<QAction*> actions = QList<QAction*>{m_parts.actions->trainThis} + m_actions->menu();
    actions.insert(actions.indexOf(m_actions->data) + 1, m_data->importAction());
    return {menuOf(tr("&Runs"), actions, parent)};
}

QList<ToolBarItem> TrainWorkspace::toolBarItems() {
    const TrainActions& a = *m_actions;
    QList<ToolBarItem> items;
    for (QAction* action : {a.newRun, static_cast<QAction*>(nullptr), a.pause, a.stop, a.resume,
                            static_cast<QAction*>(nullptr), a.compare, a.openResult, a.branch, a.evaluateModel,
                            static_cast<QAction*>(nullptr), a.data, a.runFolder})
        items << (action ? ToolBarItem::text(action) : ToolBarItem::gap());
    return items;
}

QList<Actions::Listed> TrainWorkspace::listedActions() const {
    QList<Actions::Listed> listed;
    for (QAction* action : m_actions->all())
        listed.append({action, tr("Runs")});
    listed.append({m_data->importAction(), tr("Runs")});
    for (QAction* action : m_data->listedActions())
        listed.append({action, tr("Data")});
    return listed;
}

/// “Train this…” says what is missing where nothing can be trained.
void TrainWorkspace::updateTrainThis() {
    const Drafts* drafts = m_parts.drafts;
    const DraftKey key = drafts->current();
    QString why;
    if (key.isNone() || !drafts->has(key))
        why = tr("Open a model or start from a preset first.");
    else if (const auto count = drafts->grid(key).mistakes().size(); count > 0)
        why = count == 1 ? tr("The architecture has 1 mistake.") : tr("The architecture has %1 mistakes.").arg(count);
    QAction* trainThis = m_parts.actions->trainThis;
    setAvailable(trainThis, why);
}

/// What can be done with the current run now; what cannot says why.
void TrainWorkspace::updateActions() {
    const TrainActions& a = *m_actions;
    const RunItem* run = m_store.find(m_current);
    const bool runs = run && run->info.state == RunState::Running && !run->waits;
    const bool goesOn = run && run->goesOn();
    const bool stopping = m_queue.stopping().contains(toQString(m_current));
    const widgets::WaitingItem* job = run ? nullptr : m_store.findWaiting(m_current);
    const QString none = run    ? QString()
                         : job  ? tr("This job has not started.")
                         : m_store.findEvaluation(m_current)
                             ? tr("No run here has trained this model. Choose a run first.")
                             : tr("Choose a run first.");
    const QString notRunning = !run      ? none
                               : !runs    ? tr("This run is not running.")
                               : stopping ? tr("This run is being stopped.")
                                          : QString();
    const QString fromQueue = tr("This job has not started. Remove it from the queue instead.");
    const QString notStoppable = job ? fromQueue : !goesOn ? notRunning : stopping ? tr("This run is being stopped.") : QString();
    const QString notActive =
        !notRunning.isEmpty() ? notRunning : run->isPaused ? tr("This run is paused. Resume it first.") : QString();
    setAvailable(a.stop, notStoppable);
    setAvailable(a.pause, notActive);
    setAvailable(a.evaluate, notActive);
    // A model that is open in Analyse can be evaluated as well.
    setAvailable(a.evaluateModel, !run || run->hasModel || m_parts.session->models()->count() > 0
                                      ? QString()
                                      : tr("This run has no trained model yet."));
    setAvailable(a.resume, job && job->error.isEmpty() ? tr("This job waits in the queue and will start automatically.")
                           : job && !job->run.empty()                        ? QString()
                           : !run                                            ? none
                           : run->waits ? tr("This run is waiting at %1 and will continue automatically.").arg(run->place)
                           : run->isQueued && !runs ? tr("This run waits in the queue and will continue automatically.")
                           : canResume(run->info.state) || run->isPaused ? QString()
                           : runs                                            ? tr("This run is running.")
                                                                             : tr("This run has finished."));
    if (a.resume->isEnabled()) // else its tip is the reason
        setToolTipWithKey(a.resume, job ? tr("Start this job again.") : TrainActions::resumeTip(run && run->isPaused));
    updateOthers();
    setAvailable(a.openResult, !run ? none : run->hasModel ? QString() : tr("This run has no trained model yet."));
    const RunItem* result = run ? resultOfRow(run->group) : nullptr;
    setAvailable(m_openResult, !result ? none : result->hasModel ? QString() : tr("This run has no trained model yet."));
    const QString whatOpens = tr("Open the model of %1 beside the open ones, with its matrices and D(w).");
    if (a.openResult->isEnabled())
        setToolTipWithKey(a.openResult, whatOpens.arg(titleWithWeights(*run)));
    if (m_openResult->isEnabled())
        m_openResult->setToolTip(whatOpens.arg(titleWithWeights(*result)));
    for (QAction* action : {a.branch, a.rename, a.runFolder, a.copyCommand, a.compare})
        setAvailable(action, none);
    updateRemove();
    a.compare->setChecked(run && m_runs->runs()->isCompared(run->group));
    const widgets::RunTableModel* table = m_runs->runs();
    const int row = run ? table->rowOf(run->group) : -1;
    setAvailable(a.reference, !run ? none
                              : row < 0 || !widgets::hasFinalScore(table->groups()[static_cast<std::size_t>(row)])
                                  ? tr("No run of this experiment has finished with a score yet.")
                                  : QString());
    a.reference->setChecked(run && table->reference() && table->reference()->key == run->group);
    bool waits = false;
    for (const widgets::WaitingItem& one : m_store.waiting())
        waits = waits || one.error.isEmpty();
    a.startQueue->setEnabled(waits && !m_store.queueRuns());
    a.startQueue->setVisible(waits && !m_store.queueRuns());
}

} // namespace headroom::app
