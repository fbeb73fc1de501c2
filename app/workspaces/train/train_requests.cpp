// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked of runs: by the actions, and by the buttons and menus of the tables.
#include "app/documents/paths.h"
#include "app/documents/session.h"
#include "app/parts/dock.h"
#include "app/workspaces/train/train_workspace.h"
#include "widgets/run_monitor/log_view.h"
#include "widgets/run_monitor/queue_view.h"

namespace headroom::app {

using widgets::QueueModel;
using widgets::RunItem;
namespace fs = std::filesystem;

void TrainWorkspace::handle(QueueModel::Button button, const fs::path& path) {
    using Button = QueueModel::Button;
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
    case Button::Resume:
        say(m_queue.resume(path));
        break;
    case Button::Open:
        if (run && run->hasModel)
            openResult(*run);
        break;
    case Button::Folder:
        Q_EMIT showInFolderRequested(toQString(path));
        break;
    case Button::Remove:
        say(m_queue.removeWaiting(path));
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
    case Button::None:
        break;
    }
}

void TrainWorkspace::openResult(const RunItem& run) {
    const std::string from = run.info.startFrom.substr(0, run.info.startFrom.rfind(":encoder"));
    std::error_code ignored;
    const bool there = !from.empty() && fs::is_directory(from, ignored);
    Q_EMIT openResultRequested(RunPaths{run.folder}.model(), there ? fs::path(from) : fs::path());
}

/// The experiment of the current run, with all its seeds: that is what tables and curves name.
void TrainWorkspace::renameRuns() {
    const RunItem* run = m_store.find(m_queueView->hasFocus() ? m_queueView->currentPath() : m_current);
    if (!run) {
        m_parts.session->messages()->post(Severity::Info, tr("This job has not started. Rename it once it runs."));
        return;
    }
    const QString before = run->name, group = run->group;
    std::vector<fs::path> folders{run->folder};
    for (const RunItem& other : m_store.runs())
        if (!group.isEmpty() && other.group == group && other.folder != run->folder)
            folders.push_back(other.folder);
    if (const auto name = askName(before); name && *name != before)
        say(m_queue.rename(folders, *name));
}

void TrainWorkspace::removeRuns(const std::vector<fs::path>& folders) {
    int moved = 0;
    for (const fs::path& folder : folders) {
        const QString sentence = m_queue.moveToWastebasket(folder);
        say(sentence);
        moved += sentence.isEmpty();
    }
    if (moved > 0)
        m_parts.session->messages()->post(Severity::Info,
                                          moved == 1 ? tr("Moved %1 to the "
                                                          "wastebasket.")
                                                           .arg(toQString(folders.front().filename()))
                                                     : tr("Moved %1 runs to the wastebasket.").arg(moved));
}

} // namespace headroom::app
