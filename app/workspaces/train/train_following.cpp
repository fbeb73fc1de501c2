// SPDX-License-Identifier: GPL-3.0-or-later
// The current run and the chosen row of the queue follow what was just started.
#include "app/documents/items/paths.h"
#include "app/workspaces/train/launch_form.h"
#include "app/workspaces/train/train_workspace.h"
#include "core/runs/jobs.h"
#include "widgets/run_monitor/queue_view.h"
#include "widgets/run_monitor/run_table.h"

#include <QApplication>

#include <tuple>
#include <utility>

namespace headroom::app {

using widgets::QueueModel;
namespace fs = std::filesystem;

/// Of a job that was just asked for.
void TrainWorkspace::expectJob(const fs::path& job) {
    m_wantedJob = job;
    m_standIn.clear();
    m_choseJob = false;
}

/// The focus goes to what was started from the form: there the same key would start the same again.
void TrainWorkspace::leaveForm() {
    if (!m_form->isAncestorOf(QApplication::focusWidget()))
        return;
    const auto expected = std::pair(m_wantedJob, m_choseJob);
    (m_queueView->isVisible() ? static_cast<QWidget*>(m_queueView) : m_runs)->setFocus();
    std::tie(m_wantedJob, m_choseJob) = expected; // a table without a current row chooses its first one
}

/// Of a job whose row the user has chosen.
void TrainWorkspace::followJobFrom(const fs::path& job) {
    m_wantedJob = job;
    m_standIn.clear();
    m_choseJob = true;
}

/// The row of a job that was asked for is chosen, and then that of its run or evaluation, unless another one is chosen meanwhile: new
/// rows may be out of sight.
void TrainWorkspace::followJob() {
    if (m_wantedJob.empty())
        return;
    const QueueModel* queue = m_queueView->queue();
    const fs::path chosen = m_queueView->currentPath();
    if (m_choseJob && !chosen.empty() && chosen != m_wantedJob && chosen != m_standIn)
        return m_wantedJob.clear();
    if (queue->rowOf(m_wantedJob) >= 0) {
        if (!std::exchange(m_choseJob, true))
            m_queueView->setCurrentPath(m_wantedJob);
        return;
    }
    const auto nameOf = [](const fs::path& job) { return toQString(job.stem()).section(u'_', 1); }; // of the folder, behind the number
    for (const auto& job : m_store.waiting())
        if (nameOf(job.file) == nameOf(m_wantedJob) && job.error.isEmpty()) // its turn is another one now
            return m_queueView->setCurrentPath(m_wantedJob = job.file);
    const fs::path name = toPath(nameOf(m_wantedJob));
    for (const fs::path& place : {failedJobs(m_store.folder()) / m_wantedJob.filename(), m_store.folder() / name,
                                  evaluationsFolder(m_store.folder()) / name})
        if (queue->rowOf(place) >= 0) {
            m_queueView->setCurrentPath(place);
            m_wantedJob.clear();
            return;
        }
}

/// Each runs folder keeps its ticks.
void TrainWorkspace::followFolder() {
    const fs::path before = std::exchange(m_tickedIn, m_store.folder());
    if (before.empty() || before == m_tickedIn)
        return;
    QStringList ticked;
    for (const widgets::RunGroup* group : m_runs->runs()->compared())
        ticked << group->key;
    ticked += m_wantedComparison;
    if (!m_first || !ticked.isEmpty()) // else its runs were never shown
        m_tickedBefore[before] = ticked;
    const auto known = m_tickedBefore.find(m_tickedIn);
    m_wantedComparison = known == m_tickedBefore.end() ? QStringList() : known->second;
}

} // namespace headroom::app
