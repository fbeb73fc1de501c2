// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/train_workspace.h"

#include "app/documents/items/paths.h"
#include "app/documents/session.h"
#include "app/jobs/worker_command.h"
#include "app/parts/availability.h"
#include "app/parts/dock.h"
#include "app/parts/file_dialogs.h"
#include "app/parts/number_text.h"
#include "app/runs/evaluation_names.h"
#include "app/runs/run_index.h"
#include "app/settings/app_settings.h"
#include "app/settings/resource_folders.h"
#include "app/workspaces/train/corpus_maker.h"
#include "app/workspaces/train/curves_panel.h"
#include "app/workspaces/train/data/data_view.h"
#include "app/workspaces/train/evaluate/evaluate_dialog.h"
#include "app/workspaces/train/experiments/experiments_dialog.h"
#include "app/workspaces/train/launch_form.h"
#include "app/workspaces/train/train_actions.h"
#include "app/workspaces/train/watch_dialog.h"
#include "core/commands/worker_commands.h"
#include "widgets/run_monitor/log_view.h"
#include "widgets/run_monitor/queue_view.h"
#include "widgets/run_monitor/run_table.h"
#include "widgets/run_monitor/samples_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QShortcut>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headroom::app {

using widgets::QueueModel;
using widgets::RunGroup;
using widgets::RunItem;
namespace fs = std::filesystem;

namespace {

fs::path runsFolder(const AppSettings& settings) {
    if (qEnvironmentVariableIsSet("HEADROOM_RUNS") || settings.runsFolder().isEmpty())
        return RunStore::defaultFolder();
    return toPath(settings.runsFolder());
}

} // namespace

TrainWorkspace::TrainWorkspace(const Parts& parts, QWidget* parent)
    : Workspace(QStringLiteral("train"), parts.actions->trainWorkspace, parent)
    , m_parts(parts)
    , m_actions(new TrainActions(this))
    , m_store(runsFolder(*parts.settings),
              parts.indexFile.isEmpty() ? RunIndex::defaultFile() : parts.indexFile)
    , m_queue(&m_store)
    , m_maker(new CorpusMaker(this)) {
    askName = [this](const QString& now) -> std::optional<QString> {
        return FileDialogs().askName(this, tr("Rename the experiment"),
                                     tr("Name (leave empty to name it after what differs)"), now);
    };
    askCheckpoint = [this](const QString& run, const QStringList& checkpoints) {
        return FileDialogs().askChoice(this, tr("Branch from a checkpoint"), tr("Checkpoint of %1").arg(run), checkpoints);
    };
    askExport = [this](const QString& suggested, const QStringList& filters) {
        return FileDialogs().save(this, tr("Export the curves"), suggested, filters);
    };
    makePanels();
    connectStore();
    connectForm();
    connectActions();
    connectData();
    restoreKept();
    showRuns();
}

TrainWorkspace::~TrainWorkspace() {
    disconnect(qApp, nullptr, this, nullptr); // the table loses the focus when it goes
    rememberView();
    delete findChild<ExperimentsDialog*>(); // it asks for the folder of runs when it ends
}

void TrainWorkspace::connectStore() {
    connect(&m_store, &RunStore::changed, this, &TrainWorkspace::showRuns);
    connect(m_parts.session, &Session::modelChanged, this, &TrainWorkspace::nameResults);
    connect(&m_store, &RunStore::curvesChanged, this, &TrainWorkspace::showCurves);
    connect(&m_store, &RunStore::runEnded, this, qOverload<const RunItem&>(&TrainWorkspace::announce));
    connect(&m_store, &RunStore::evaluationEnded, this, qOverload<const EvaluationInfo&>(&TrainWorkspace::announce));
    connect(&m_store, &RunStore::jobPutAside, this, qOverload<const widgets::WaitingItem&>(&TrainWorkspace::announce));
    connect(&m_store, &RunStore::logChanged, this, [this](bool begins, const QString& text) {
        if (begins)
            m_log->clearLog();
        m_log->append(text);
    });
    connect(&m_store, &RunStore::samplesChanged, this, [this](qint64 update, const auto& samples) {
        m_samples->setSamples(tr("After update %1").arg(thousands(update)), samples);
    });
    connect(&m_store, &RunStore::problemFound, this, [this](const QString& sentence) {
        post(Severity::Warning, sentence);
    });
    connect(&m_queue, &RunQueue::problem, this, &TrainWorkspace::say);
    connect(&m_queue, &RunQueue::enqueued, this, &TrainWorkspace::expectJob);
    connect(m_queueView, &widgets::QueueView::asked, this, &TrainWorkspace::handle);
    connect(m_queueView, &widgets::QueueView::currentChosen, this, [this](const fs::path& path) {
        if (const fs::path run = runInQueue(path); m_store.find(run) || isKnown(path))
            setCurrentRun(m_store.find(run) ? run : path);
        showCurrent(); // another row of the same run
    });
    connect(m_runs, &widgets::RunTable::currentChosen, this, [this](const QString& key) {
        const RunItem* now = m_store.find(m_current);
        if (const RunItem* best = bestOf(key); best && !(now && now->group == key))
            setCurrentRun(best->folder);
    });
    // The menu that opens with it is of the runs whose numbers the row shows.
    connect(m_runs, &widgets::RunTable::rowPressed, this, [this](const QString& key) {
        if (const RunItem* result = resultOfRow(key))
            setCurrentRun(result->folder);
    });
    connect(m_runs, &widgets::RunTable::opened, this, [this](const QString& key) {
        if (const RunItem* best = bestOf(key); best && best->hasModel)
            openResult(*best);
    });
    connect(m_runs->runs(), &widgets::RunTableModel::comparedChanged, this, &TrainWorkspace::showCurves);
    connect(m_runs->runs(), &widgets::RunTableModel::comparisonFull, this, [this] {
        post(Severity::Info, widgets::RunTable::comparisonFullText());
    });
}

void TrainWorkspace::connectForm() {
    connect(m_form, &LaunchForm::startRequested, this, [this](const Launch& launch) {
        m_parts.settings->addRecentCorpus(toQString(launch.data));
        rememberView();
        if (const QString failure = m_queue.start(launch); !failure.isEmpty()) {
            say(failure);
            m_form->showFailure(failure);
        } else {
            leaveForm();
        }
    });
    connect(m_form, &LaunchForm::resumeRequested, this, [this](const fs::path& run) {
        const QString failure = m_queue.resume(run);
        say(failure);
        if (failure.isEmpty())
            leaveForm();
    });
    connect(m_form, &LaunchForm::runsFolderChecked, this, &TrainWorkspace::sayWhyEmpty);
    connect(m_form, &LaunchForm::placesRequested, this, &TrainWorkspace::showPlaces);
    connect(m_form, &LaunchForm::copyRequested, this, [this](const Launch& launch) {
        try {
            QApplication::clipboard()->setText(commandLines(launch).join(u'\n') + u'\n');
        } catch (const std::exception& failure) {
            say(QString::fromUtf8(failure.what()));
        }
    });
    connect(m_form, &LaunchForm::demoCorpusRequested, this,
            &TrainWorkspace::makeDemoCorpus);
    connect(m_form, &LaunchForm::cancelMakingRequested, m_maker, &CorpusMaker::cancel);
    connect(m_maker, &CorpusMaker::progressed, this,
            [this](const QString& text) { m_form->showMaking(text); });
    connect(m_maker, &CorpusMaker::failed, this, [this](const QString& sentence) {
        m_form->showMaking({}, sentence);
        say(sentence);
    });
    connect(m_maker, &CorpusMaker::finished, this, [this](const fs::path& folder) {
        m_form->showMaking({});
        m_form->setData(folder);
        m_parts.settings->addRecentCorpus(toQString(folder));
        post(Severity::Good, tr("The demo corpus is ready: %1.").arg(toQString(folder)));
    });
    if (std::error_code ignored; m_parts.settings->recentCorpora().isEmpty() &&
                                 fs::is_directory(demoCorpusFolder(DemoCorpus::Speech), ignored) &&
                                 !m_parts.settings->isCorpusTakenOff(toQString(demoCorpusFolder(DemoCorpus::Speech))))
        m_form->setData(demoCorpusFolder(DemoCorpus::Speech));
}

void TrainWorkspace::connectActions() {
    const TrainActions& a = *m_actions;
    const auto at = [this](QAction* action, auto work) { connect(action, &QAction::triggered, this, work); };
    const auto ask = [&](QAction* action, QueueModel::Button button) {
        at(action, [this, button] { handle(button, m_current); });
    };
    ask(a.pause, QueueModel::Button::Pause);
    ask(a.stop, QueueModel::Button::Stop);
    ask(a.evaluate, QueueModel::Button::Evaluate);
    at(a.evaluateModel, [this] {
        switchAction()->trigger();
        askEvaluation(currentModel())->open();
    });
    ask(a.resume, QueueModel::Button::Resume);
    addAction(a.resume); // its key, wherever the focus is in Train
    at(a.stopOthers, [this] { askOthers(QueueModel::Button::Stop, othersToStop()); });
    at(a.resumeOthers, [this] { askOthers(QueueModel::Button::Resume, othersToResume()); });
    at(a.branch, [this] { branch(); });
    ask(a.openResult, QueueModel::Button::Open);
    ask(a.runFolder, QueueModel::Button::Folder);
    connect(m_parts.actions->trainThis, &QAction::triggered, this, [this] {
        switchAction()->trigger();
        trainThis(m_parts.drafts->current());
    });
    connect(m_parts.drafts, &Drafts::listChanged, this, &TrainWorkspace::updateTrainThis);
    connect(m_parts.drafts, &Drafts::draftChanged, this, &TrainWorkspace::updateTrainThis);
    connect(m_parts.drafts, &Drafts::currentChanged, this, &TrainWorkspace::updateTrainThis);
    updateTrainThis();
    at(a.newRun, [this] {
        switchAction()->trigger();
        m_actions->data->setChecked(false);
        m_formDock->show();
        m_form->startFresh();
        m_form->focusFirst();
    });
    at(a.remove, [this] { removeRuns(runsToRemove()); });
    at(a.experiments, [this] {
        switchAction()->trigger();
        showExperiments()->show();
    });
    at(a.places, [this] { showPlaces(m_form->chosenPlace()); });
    at(a.watchThere, [this] { askWatch(m_form->chosenPlace())->open(); });
    at(a.rename, [this] { renameRuns(); });
    at(a.exportCurves, [this] {
        switchAction()->trigger();
        m_actions->data->setChecked(false); // they are drawn as they are shown
        exportCurves();
    });
    m_queueView->addAction(a.branch);
    m_queueView->addAction(a.evaluateModel);
    m_queueView->addAction(a.rename);
    at(a.startQueue, [this] { say(m_queue.startProcess()); });
    at(a.copyCommand, [this] {
        TrainOptions train;
        train.run = m_current;
        train.resume = true;
        QApplication::clipboard()->setText(shellLine(arguments(train)) + u'\n');
    });
    connect(a.compare, &QAction::triggered, this, [this](bool compared) {
        if (const RunItem* run = m_store.find(m_current))
            m_runs->runs()->setCompared(run->group, compared);
        updateActions();
    });
    connect(a.reference, &QAction::triggered, this, [this] {
        if (const RunItem* run = m_store.find(m_current))
            m_runs->runs()->setReference(run->group);
        m_runs->showComparison();
        updateActions(); // it stays ticked
    });
    // How many it takes depends on the rows, while they are being used.
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget* before, const QWidget* now) {
        if (before == m_runs || now == m_runs)
            updateRemove();
    });
    connect(m_runs->selectionModel(), &QItemSelectionModel::selectionChanged, this, &TrainWorkspace::updateRemove);
    // Delete means something in a table only; elsewhere it belongs to what is being typed.
    // While the action is disabled, a shortcut answers its key with the reason; both at once would be ambiguous.
    auto* deleteRuns = new QShortcut(QKeySequence::Delete, m_runs);
    deleteRuns->setContext(Qt::WidgetShortcut);
    const auto follow = [this, deleteRuns] { deleteRuns->setEnabled(!m_actions->remove->isEnabled()); };
    connect(m_actions->remove, &QAction::changed, deleteRuns, follow);
    follow();
    connect(deleteRuns, &QShortcut::activated, this, [this] {
        const QModelIndex row = m_runs->currentIndex().siblingAtColumn(widgets::RunTableModel::Name);
        triggerOrSayWhy(m_actions->remove, m_runs->viewport(), m_runs->visualRect(row));
    });
}

/// Queue and table from what the store knows; a run that begins is drawn without being asked for.
void TrainWorkspace::showRuns() {
    const auto& runs = m_store.runs();
    followFolder();
    nameResults();
    constexpr std::size_t kMostEnded = 30; // the table below has them all
    std::vector<RunItem> recent;
    std::size_t ended = 0;
    const auto wasResumed = [this](const RunItem& run) { // whether or not it could be; a refusal counts until it could
        return std::ranges::any_of(m_store.waiting(), [&](const auto& job) {
            return job.resume && job.run == run.folder && (job.error.isEmpty() || run.info.started <= job.ended);
        });
    };
    for (const RunItem& run : runs)
        if (run.goesOn() || wasResumed(run) || ended++ < kMostEnded)
            recent.push_back(run);
    takeBackOffers(recent);
    std::vector<widgets::EvaluationItem> evaluations;
    for (const EvaluationInfo& one : m_store.evaluations())
        if (one.state == EvaluationInfo::State::Running || evaluations.size() < kMostEnded)
            evaluations.push_back({one, m_store.titleOf(one), m_store.elsewhere(one.folder), briefEvaluationTitle(one.request, runs)});
    m_queueView->queue()->setItems(recent, m_store.waiting(), m_queue.stopping(), evaluations);
    widgets::RunTableModel* table = m_runs->runs();
    if (!m_store.isReady()) // another folder
        m_knownGroups.clear();
    else
        for (const RunGroup* group : table->compared()) // what leaves may come back from the wastebasket
            if (std::ranges::none_of(runs, [&](const RunItem& run) { return run.group == group->key; }))
                m_wantedComparison << group->key;
    table->setGroups(widgets::groupRuns(runs));
    const auto compareMore = [table](const QString& key) {
        if (table->compared().size() < std::size_t(widgets::RunTableModel::kMostCompared))
            table->setCompared(key, true);
    };
    for (const QString& key : QStringList(m_wantedComparison)) // in their order: each keeps its colour
        if (table->rowOf(key) >= 0 && m_wantedComparison.removeAll(key) > 0)
            compareMore(key);
    for (const RunGroup& group : table->groups()) {
        if (m_knownGroups.contains(group.key))
            continue;
        m_knownGroups << group.key;
        if ((m_store.isReady() && !m_first) || group.isRunning())
            compareMore(group.key);
    }
    const bool first = std::exchange(m_first, !m_store.isReady()); // what another folder holds does not begin now, either
    if (m_store.isReady() && first && m_runs->runs()->compared().empty() && !runs.empty() && !m_tickedBefore.contains(m_store.folder()))
        m_runs->runs()->setCompared(runs.front().group, true);
    followJob();
    if (!isKnown(m_current) && !runs.empty()) {
        const auto running = std::find_if(
            runs.begin(), runs.end(), [](const RunItem& run) { return run.goesOn(); });
        m_standIn = running == runs.end() ? runs.front().folder : running->folder;
        setCurrentRun(m_standIn);
    } else if (!isKnown(m_current)) {
        setCurrentRun({});
    }
    showCurves();
    showCurrent();
    updateActions();
    Q_EMIT shownChanged();
}

void TrainWorkspace::setCurrentRun(const fs::path& folder) {
    if (folder == m_current)
        return;
    m_current = folder;
    const bool isRun = m_store.find(folder) != nullptr; // else a job, or an evaluation of a model that no run here has trained
    const widgets::WaitingItem* job = m_store.findWaiting(folder);
    const bool evaluates = m_store.findEvaluation(folder) || (job && job->evaluates);
    m_samples->setEmptySentence(evaluates ? tr("Examples are those of a run's validations. For the texts of an evaluation, click “Show the errors” in "
                                               "its row of the queue when it has finished.")
                                          : QString());
    m_log->setPlaceholderText(evaluates ? tr("An evaluation keeps no log. Choose a run in Queue or Runs to see the log of its training.")
                              : job     ? tr("The log begins when the job starts.")
                                        : tr("The log of the run that is chosen in Queue or Runs."));
    if (job && job->error.isEmpty())
        followJobFrom(folder);
    m_store.followLog(isRun ? folder : fs::path());
    if (!isRun) {
        m_log->clearLog();
        m_runs->selectionModel()->clear();
    }
    if (runInQueue(m_queueView->currentPath()) != folder) // an evaluation of the run stays highlighted
        m_queueView->setCurrentPath(folder);
    if (const RunItem* run = m_store.find(folder))
        m_runs->setCurrentKey(run->group);
    showCurrent();
    updateActions();
    Q_EMIT shownChanged();
}

void TrainWorkspace::trainThis(DraftKey draft) {
    m_actions->data->setChecked(false);
    m_formDock->show();
    m_form->chooseDraft(draft);
    // Other windows on a trained model: minutes from there, an hour and a half from random weights. The field says so.
    if (const OpenModel* model = m_parts.session->models()->find(draft.model)) {
        m_form->chooseStart(StartChoice::Kind::Whole, model->folder);
        m_form->chooseRecipe(resourceFolder() / "recipes" / "demo.json");
    }
    m_form->focusFirst();
}

} // namespace headroom::app
