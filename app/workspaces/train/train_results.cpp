// SPDX-License-Identifier: GPL-3.0-or-later
// Which runs of an experiment its curves and its result are of.
#include "app/documents/paths.h"
#include "app/parts/actions.h"
#include "app/workspaces/train/curves_panel.h"
#include "app/workspaces/train/train_actions.h"
#include "app/workspaces/train/train_workspace.h"
#include "widgets/run_monitor/run_table.h"
#include "widgets/run_monitor/run_words.h"

#include <QAction>

#include <algorithm>
#include <functional>
#include <utility>

namespace headroom::app {

using widgets::RunGroup;
using widgets::RunItem;
namespace fs = std::filesystem;

namespace {

/// ", 1 stopped, 1 failed": of the seeds that nothing is going to finish.
QString endedText(const std::vector<const RunItem*>& runs) {
    QStringList words;
    for (const RunState state : {RunState::Stopped, RunState::Failed, RunState::Interrupted})
        if (const auto count = std::ranges::count_if(runs, [&](const RunItem* run) { return run->info.state == state && !run->goesOn() && !run->isQueued; }))
            words << QStringLiteral("%1 %2").arg(count).arg(widgets::stateWord(state).toLower());
    return words.isEmpty() ? QString() : QStringLiteral(", ") + words.join(QStringLiteral(", "));
}

} // namespace

void TrainWorkspace::showCurves() {
    std::vector<fs::path> wanted;
    std::vector<CurvesPanel::Compared> compared;
    for (const RunGroup* group : m_runs->runs()->compared()) {
        CurvesPanel::Compared one;
        one.curves.name = group->name;
        one.task = group->runs.front().task;
        one.decoded = widgets::decodedText(*group);
        one.curves.style = m_runs->runs()->styleOf(group->key);
        const auto counted = group->runsOfSeeds();
        for (const RunItem& run : group->runs) {
            wanted.push_back(run.folder);
            const bool counts = std::find(counted.begin(), counted.end(), &run) != counted.end();
            auto& curves = counts ? one.curves.runs : run.goesOn() ? one.curves.goingOn : one.curves.repeated;
            curves.push_back(m_store.curves(run.folder));
            one.curves.goesOn = one.curves.goesOn || run.goesOn() || run.isQueued;
        }
        const int count = group->seeds(), finished = group->finishedSeeds();
        const bool isOneRun = count == 1 && !group->repeatsSeeds(); // its state needs no counts
        one.detail = count == 1          ? tr("1 seed")
                     : finished == count ? tr("%1 seeds").arg(count)
                                         : tr("%1 of %2 seeds").arg(finished).arg(count);
        const QString goingOn = isOneRun ? QString() : widgets::goingOnText(*group), now = goingOn.isEmpty() ? QString() : QStringLiteral(", ") + goingOn;
        if (!isOneRun)
            one.detail += endedText(counted);
        else if (finished == 0)
            one.detail += QStringLiteral(", ") + widgets::stateWord(*group).toLower();
        if (const std::size_t all = group->runs.size(); counted.size() < all) {
            one.detailOfRuns = one.detail + tr(", %1 runs").arg(all) + now;
            one.detail += count == 1 ? tr(", run %1 of %2").arg(counted.front()->repeat).arg(all) : tr(", %1 of %2 runs").arg(counted.size()).arg(all);
        }
        one.detail += now;
        compared.push_back(std::move(one));
    }
    const bool allThere = std::all_of(wanted.begin(), wanted.end(),
                                      [this](const fs::path& run) { return m_store.curves(run) != nullptr; });
    m_store.followCurves(std::move(wanted));
    updateActions();
    if (!allThere && !compared.empty())
        return; // what is missing is being read; then everything is drawn once
    m_curves->setRuns(std::move(compared));
}

const RunItem* TrainWorkspace::bestOf(const QString& key) const {
    const widgets::RunTableModel* table = m_runs->runs();
    const int row = table->rowOf(key);
    return row < 0 ? nullptr : table->groups()[static_cast<std::size_t>(row)].resultRun();
}

/// What is opened from a row of Runs: the current run, unless the row's numbers are of another run of its seed.
const RunItem* TrainWorkspace::resultOfRow(const QString& key) const {
    const widgets::RunTableModel* table = m_runs->runs();
    const int row = table->rowOf(key);
    if (row < 0) // no document says what it belongs to
        return m_store.find(m_current);
    for (const RunItem* run : table->groups()[static_cast<std::size_t>(row)].runsOfSeeds())
        if (run->folder == m_current)
            return run;
    return bestOf(key);
}

namespace {

/// The newest run of the group that repeats the seed of `current` and can be used; null: none can.
const RunItem* newestRepetition(const RunGroup& group, const RunItem& current, const std::function<bool(const RunItem&)>& canBeUsed) {
    const RunItem* newest = nullptr;
    for (const RunItem& run : group.runs)
        if (run.folder != current.folder && run.info.seed == current.info.seed && canBeUsed(run) && (!newest || run.repeat > newest->repeat))
            newest = &run;
    return newest;
}

} // namespace

/// A row of Runs and its menu are of one run of each seed; the others are offered by their numbers.
void TrainWorkspace::updateRepeated() {
    const RunItem *running = repetitionToStop(), *stopped = repetitionToResume();
    m_actions->stopRepeated->setVisible(running);
    m_actions->resumeRepeated->setVisible(stopped);
    if (running) {
        m_actions->stopRepeated->setText(tr("Stop run %1").arg(running->repeat));
        setToolTipWithKey(m_actions->stopRepeated, tr("Save a checkpoint of run %1 of this seed and stop it.").arg(running->repeat));
    }
    if (stopped) {
        m_actions->resumeRepeated->setText(tr("Resume run %1").arg(stopped->repeat));
        setToolTipWithKey(m_actions->resumeRepeated, TrainActions::resumeTip(stopped->isPaused));
    }
}

const RunItem* TrainWorkspace::repetitionToStop() const {
    const RunItem* run = m_store.find(m_current);
    const int row = run ? m_runs->runs()->rowOf(run->group) : -1;
    return row < 0 ? nullptr
                   : newestRepetition(m_runs->runs()->groups()[static_cast<std::size_t>(row)], *run,
                                      [this](const RunItem& one) { return one.goesOn() && !m_queue.stopping().contains(toQString(one.folder)); });
}

const RunItem* TrainWorkspace::repetitionToResume() const {
    const RunItem* run = m_store.find(m_current);
    const int row = run ? m_runs->runs()->rowOf(run->group) : -1;
    return row < 0 ? nullptr
                   : newestRepetition(m_runs->runs()->groups()[static_cast<std::size_t>(row)], *run, [](const RunItem& one) {
                         return one.isPaused || (canResume(one.info.state) && !one.goesOn() && !one.isQueued);
                     });
}

/// The button beside Runs is of its row, also while another run of its seed is followed in Queue.
void TrainWorkspace::openResultOfRow() {
    const RunItem* run = m_store.find(m_current);
    if (const RunItem* result = run ? resultOfRow(run->group) : nullptr; result && result->hasModel) {
        setCurrentRun(result->folder);
        openResult(*result);
    }
}

} // namespace headroom::app
