// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked of runs: by the actions, and by the buttons and menus of the tables.
#include "app/documents/items/paths.h"
#include "app/documents/session.h"
#include "app/parts/actions.h"
#include "app/parts/dock.h"
#include "app/parts/exported_view.h"
#include "app/parts/number_text.h"
#include "app/places/places_dialog.h"
#include "app/places/script_dialog.h"
#include "app/runs/run_names.h"
#include "app/settings/app_settings.h"
#include "app/workspaces/train/curves_panel.h"
#include "app/workspaces/train/experiments/experiments_dialog.h"
#include "app/workspaces/train/launch_facts.h"
#include "app/workspaces/train/launch_form.h"
#include "app/workspaces/train/train_actions.h"
#include "app/workspaces/train/train_workspace.h"
#include "app/workspaces/train/watch_dialog.h"
#include "core/runs/checkpoint_name.h"
#include "core/runs/start_from.h"
#include "widgets/run_monitor/log_view.h"
#include "widgets/run_monitor/queue_view.h"
#include "widgets/run_monitor/run_words.h"

#include <QAction>
#include <QDir>


namespace headroom::app {

using widgets::QueueModel;
using widgets::RunItem;
namespace fs = std::filesystem;

WatchDialog* TrainWorkspace::askWatch(const QString& place) {
    auto* dialog = new WatchDialog(m_parts.places, &m_store, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (!place.isEmpty())
        dialog->choosePlace(place);
    connect(dialog, &WatchDialog::watchRequested, this, [this](const QString& where, const QString& name) { say(m_queue.watch(where, name)); });
    return dialog;
}

/// One dialogue: a second one would start the same experiment beside it.
ExperimentsDialog* TrainWorkspace::showExperiments() {
    if (auto* open = findChild<ExperimentsDialog*>())
        return open;
    const auto time = [this](const QString& place, const QString& device) -> TrainingTime {
        return [runs = m_store.runs(), place = place.toStdString(), device = device.toStdString()](const PlannedStep& training,
                                                                                                   const TrainingWork& work) {
            return estimateTime(runs, training, work, place, device);
        };
    };
    const auto paused = [this] {
        const widgets::RunItem* found = nullptr;
        for (const widgets::RunItem& run : m_store.runs())
            if (run.place.isEmpty() && run.goesOn()) {
                if (!run.isPaused)
                    return QString();
                found = &run;
            }
        return found ? runTitle(*found) : QString();
    };
    auto* dialog = new ExperimentsDialog(m_store.folder().parent_path() / "experiments", time,
                                         {m_parts.settings, m_parts.places, m_parts.devices, [this] { return m_store.folder(); }, paused}, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ExperimentsDialog::showInFolderRequested, this, &TrainWorkspace::showInFolderRequested);
    connect(dialog, &ExperimentsDialog::openModelRequested, this,
            [this](const fs::path& model) { Q_EMIT openResultRequested(model, {}); });
    connect(dialog, &ExperimentsDialog::said, this, [this](const QString& name, const QString& sentence) {
        post(Severity::Info, tr("Experiment “%1”: %2").arg(name, sentence));
    });
    return dialog;
}

void TrainWorkspace::handle(QueueModel::Button button, const fs::path& path) {
    using Button = QueueModel::Button;
    if (handleEvaluation(button, path))
        return;
    const RunItem* run = m_store.find(path);
    switch (button) {
    case Button::Stop:
        say(m_queue.stop(path));
        showRuns();
        break;
    case Button::Pause:
        say(m_queue.pause(path));
        break;
    case Button::Evaluate:
        say(m_queue.evaluate(path));
        break;
    case Button::Resume: {
        const widgets::WaitingItem* job = m_store.findWaiting(path); // the tool bar has one button for both
        if (job && !job->error.isEmpty())
            startAgain(path);
        else
            say(m_queue.resume(path));
        break;
    }
    case Button::StartAgain:
        startAgain(path);
        break;
    case Button::Open:
        if (run && run->hasModel)
            openResult(*run);
        break;
    case Button::Folder:
        Q_EMIT showInFolderRequested(toQString(path));
        break;
    case Button::Remove:
        removeFromQueue(path);
        break;
    case Button::Earlier:
        say(m_queue.moveJobFirst(path));
        break;
    case Button::Delete:
        removeRuns({path});
        break;
    case Button::Log:
        setCurrentRun(path);
        m_logDock->show();
        m_log->setFocus();
        break;
    case Button::Script:
        showScript(runOfRow(path));
        break;
    case Button::TryNow:
        say(m_queue.tryNow(runOfRow(path)));
        break;
    case Button::Errors:
    case Button::None:
        break;
    }
}

void TrainWorkspace::exportCurves() {
    ExportedView view = m_curves->exported();
    if (view.isEmpty())
        return;
    const QString file = askExport(QDir(m_parts.settings->exportFolder()).filePath(QStringLiteral("training-curves.") + view.suffixes().first()), view.filters());
    if (file.isEmpty())
        return;
    view.figure.asInWindow = m_parts.actions->figureInWindowColours->isChecked();
    view.figure.pixels = m_parts.settings->figurePixels();
    say(view.save(file, m_parts.settings, m_parts.session->messages()));
}

/// One that was closed while the worker is copied to a place comes back; else it goes when it is closed.
void TrainWorkspace::showPlaces(const QString& chosen) {
    for (auto* known : findChildren<PlacesDialog*>(QString(), Qt::FindDirectChildrenOnly))
        if (known->isWorking())
            return known->open();
    auto* dialog = new PlacesDialog(m_parts.places, this);
    connect(dialog, &QDialog::finished, dialog, [dialog] {
        if (!dialog->isWorking())
            dialog->deleteLater();
    });
    connect(dialog, &PlacesDialog::workEnded, this, [this, dialog](const QString& place, bool done, const QString& sentence) {
        post(done ? Severity::Good : Severity::Error, sentence, tr("Open Places"), [this, place] { showPlaces(place); });
        dialog->deleteLater();
    });
    if (!chosen.isEmpty())
        dialog->showPlace(chosen);
    dialog->open();
}

/// The script of a run at a cluster; while the run is held it can be changed, and is sent from there.
void TrainWorkspace::showScript(const fs::path& run) {
    auto* dialog = new ScriptDialog(run, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ScriptDialog::sendRequested, this, [this, run](const QString& text) { say(m_queue.sendScript(run, text)); });
    dialog->show();
}

/// The run's folder of a row that may be a job's.
fs::path TrainWorkspace::runOfRow(const fs::path& path) const {
    const widgets::WaitingItem* job = m_store.findWaiting(path);
    return job ? job->run : path;
}

bool TrainWorkspace::isKnown(const fs::path& path) const {
    return m_store.find(path) || m_store.findEvaluation(path) || m_store.findWaiting(path);
}

/// The run of a row of the queue: itself, the one that a job resumes, or the one whose model an evaluation measures.
fs::path TrainWorkspace::runInQueue(const fs::path& path) const {
    if (const widgets::WaitingItem* job = m_store.findWaiting(path))
        return job->resume ? job->run : job->evaluates ? runFolderOf(job->evaluation.model) : path;
    const EvaluationInfo* evaluation = m_store.findEvaluation(path);
    return evaluation ? runFolderOf(evaluation->request.model) : path;
}

void TrainWorkspace::openResult(const RunItem& run) {
    if (const QString earlier = widgets::earlierModelText(run); !earlier.isEmpty()) // its scores may be of later updates
        post(Severity::Info, tr("“%1” is at update %2. %3").arg(widgets::runTitle(run), thousands(run.update), earlier));
    const fs::path from = StartFrom::parse(run.info.startFrom).model;
    std::error_code ignored;
    const bool there = !from.empty() && fs::is_directory(from, ignored);
    Q_EMIT openResultRequested(RunPaths{run.folder}.model(), there ? from : fs::path());
}

/// The form with what the current run was trained with, and one of its checkpoints as the start.
void TrainWorkspace::branch() {
    const RunItem* run = m_store.find(m_current);
    if (!run)
        return;
    const fs::path folder = run->folder, data = run->info.data;
    const auto seed = run->info.seed;
    const auto updates = checkpointUpdates(folder);
    if (updates.empty())
        return say(tr("“%1” has no checkpoint here yet.").arg(widgets::runTitle(*run)));
    const nlohmann::json bestUpdate = run->info.best.is_object() ? run->info.best.value("update", nlohmann::json()) : nlohmann::json();
    QStringList words;
    for (auto update = updates.rbegin(); update != updates.rend(); ++update) // the newest is asked for most
        words << (bestUpdate == *update ? tr("update %1, the best") : tr("update %1")).arg(thousands(*update));
    const auto chosen = askCheckpoint(widgets::runTitle(*run), words);
    if (!chosen || *chosen < 0 || *chosen >= words.size())
        return;
    switchAction()->trigger();
    m_actions->data->setChecked(false);
    m_formDock->show();
    m_form->chooseBranch({folder, std::to_string(updates[updates.size() - 1 - static_cast<std::size_t>(*chosen)])}, data, seed);
    m_form->focusFirst();
}

/// The experiment of the current run, with all its seeds: that is what tables and curves name.
void TrainWorkspace::renameRuns() {
    const fs::path chosen = m_queueView->hasFocus() ? m_queueView->currentPath() : m_current;
    const RunItem* run = m_store.find(runOfRow(chosen));
    if (!run) {
        const widgets::WaitingItem* job = m_store.findWaiting(chosen);
        const bool isEvaluation = m_store.findEvaluation(chosen) || (job && job->evaluates);
        post(Severity::Info, isEvaluation ? tr("An evaluation is named after its model. Rename the run that trained the model.")
                                          : tr("This job has not started. Rename it once it runs."));
        return;
    }
    const QString before = run->name, group = run->group;
    std::vector<fs::path> folders{run->folder};
    for (const RunItem& other : m_store.runs())
        if (!group.isEmpty() && other.group == group && other.folder != run->folder)
            folders.push_back(other.folder);
    const auto name = askName(before);
    if (!name || *name == before)
        return;
    if (const QString sentence = m_queue.rename(folders, *name); !sentence.isEmpty())
        return say(sentence);
    const QString given = name->simplified();
    bool isShown = false, isGiven = false; // shown of two that were given it: with what differs
    for (const RunItem& other : m_store.runs())
        if (other.group != group && !given.isEmpty()) {
            isShown = isShown || other.name == given;
            isGiven = isGiven || other.given == given;
        }
    if (!isShown && !isGiven)
        return;
    post(Severity::Info, (isGiven ? tr("Another experiment is called “%1” already. The names are followed by what differs.")
                                  : tr("Another experiment is called “%1” already. Here the name is followed by what differs."))
                             .arg(given));
    showMessages();
}

} // namespace headroom::app
