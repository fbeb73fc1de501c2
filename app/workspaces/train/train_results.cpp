// SPDX-License-Identifier: GPL-3.0-or-later
// Which runs of an experiment its curves and its result are of.
#include "app/documents/items/paths.h"
#include "app/parts/actions.h"
#include "app/workspaces/train/curves_panel.h"
#include "app/workspaces/train/train_actions.h"
#include "app/workspaces/train/train_workspace.h"
#include "widgets/run_monitor/queue_model.h"
#include "widgets/run_monitor/run_table.h"
#include "widgets/run_monitor/run_words.h"

#include <QAction>

#include <algorithm>
#include <functional>
#include <utility>

namespace headroom::app {

using widgets::QueueModel;
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

/// The other runs of the current run's row that can be used, of each seed the newest.
TrainWorkspace::SomeRuns TrainWorkspace::othersOfRow(const std::function<bool(const RunItem&)>& canBeUsed) const {
    SomeRuns others;
    const RunItem* run = m_store.find(m_current);
    const int row = run ? m_runs->runs()->rowOf(run->group) : -1;
    if (row < 0)
        return others;
    for (const RunItem& one : m_runs->runs()->groups()[static_cast<std::size_t>(row)].runs) {
        if (one.folder == run->folder || !canBeUsed(one))
            continue;
        const auto same = std::ranges::find_if(others, [&](const RunItem* other) { return other->info.seed == one.info.seed; });
        if (same == others.end())
            others.push_back(&one);
        else if (one.repeat > (*same)->repeat)
            *same = &one;
    }
    std::ranges::sort(others, {}, [](const RunItem* one) { return one->info.seed; });
    return others;
}

TrainWorkspace::SomeRuns TrainWorkspace::othersToStop() const {
    return othersOfRow([this](const RunItem& one) { return one.goesOn() && !m_queue.stopping().contains(toQString(one.folder)); });
}

TrainWorkspace::SomeRuns TrainWorkspace::othersToResume() const {
    return othersOfRow([](const RunItem& one) { return one.isPaused || (canResume(one.info.state) && !one.goesOn() && !one.isQueued); });
}

void TrainWorkspace::askOthers(QueueModel::Button button, const SomeRuns& others) {
    std::vector<fs::path> folders; // the first request has the runs read again
    for (const RunItem* run : others)
        folders.push_back(run->folder);
    for (const fs::path& folder : folders)
        handle(button, folder);
}

/// A row of Runs and its menu are of one run; the others, of this seed or of another one, are offered by their numbers.
void TrainWorkspace::updateOthers() {
    const RunItem* current = m_store.find(m_current);
    const auto name = [&](const RunItem& run) { // of this seed "run 3", else "seed 2" or "seed 2, run 3"
        const bool ofThisSeed = run.info.seed == current->info.seed;
        return ofThisSeed       ? tr("run %1").arg(run.repeat)
               : run.repeat > 1 ? tr("seed %1, run %2").arg(run.info.seed).arg(run.repeat)
                                : tr("seed %1").arg(run.info.seed);
    };
    const auto show = [&](QAction* action, const SomeRuns& others, const QString& one, const QString& several, const QString& tip) {
        action->setVisible(!others.empty());
        if (others.empty())
            return;
        QStringList names;
        for (const RunItem* run : others)
            names << name(*run);
        action->setText(others.size() == 1 ? one.arg(names.front()) : several.arg(others.size()));
        setToolTipWithKey(action, others.size() == 1 ? tip : names.join(QStringLiteral("; ")) + QStringLiteral(": ") + tip);
    };
    show(m_actions->stopOthers, othersToStop(), tr("Stop %1"), tr("Stop %1 other runs"), tr("Save a checkpoint and stop. Resume continues from there."));
    const SomeRuns stopped = othersToResume();
    show(m_actions->resumeOthers, stopped, tr("Resume %1"), tr("Resume %1 other runs"),
         TrainActions::resumeTip(std::ranges::all_of(stopped, &RunItem::isPaused)));
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
