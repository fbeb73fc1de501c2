// SPDX-License-Identifier: GPL-3.0-or-later
// Runs and evaluations that are moved to the wastebasket, jobs that leave the queue, and how they come back.
#include "app/documents/items/paths.h"
#include "app/documents/removals.h"
#include "app/documents/session.h"
#include "app/parts/actions.h"
#include "app/parts/availability.h"
#include "app/workspaces/train/train_actions.h"
#include "app/workspaces/train/train_workspace.h"
#include "core/runs/checkpoint_name.h"
#include "core/runs/jobs.h"
#include "core/runs/start_from.h"
#include "widgets/run_monitor/run_table.h"
#include "widgets/run_monitor/run_words.h"

#include <QAction>

#include <map>
#include <memory>

namespace headroom::app {

using widgets::RunItem;
namespace fs = std::filesystem;

namespace {

/// Whether a job that has not begun starts from this run, or evaluates with a model of it.
bool needsRun(const widgets::WaitingItem& job, const fs::path& run) {
    using There = widgets::Elsewhere::There;
    if (!job.error.isEmpty() || job.resume || job.there == There::Waiting || job.there == There::Lost) // at a place the weights are there
        return false;
    const auto isOfRun = [folder = normalised(run)](const fs::path& model) {
        const auto checkpoint = checkpointNamed(model); // RUN@500
        const fs::path below = model.empty() ? fs::path() : normalised(checkpoint ? checkpoint->run : model).lexically_relative(folder);
        return !below.empty() && *below.begin() != "..";
    };
    if (job.evaluates)
        return isOfRun(job.evaluation.model) || isOfRun(job.evaluation.languageModel);
    try {
        const std::string startFrom = readJob(job.file).startFrom;
        return !startFrom.empty() && isOfRun(StartFrom::parse(startFrom).model);
    } catch (const Error&) { // the queue will say what is wrong with it
        return false;
    }
}

/// What becomes of the jobs that need what was moved.
QString cannotStart(const QStringList& jobs, bool isOneRun) {
    constexpr int kMostNamed = 3;
    if (jobs.size() == 1)
        return (isOneRun ? TrainWorkspace::tr("“%1” waits in the queue and cannot start without it.")
                         : TrainWorkspace::tr("“%1” waits in the queue and cannot start without them."))
            .arg(jobs.front());
    QStringList named;
    for (const QString& job : jobs.mid(0, kMostNamed))
        named << TrainWorkspace::tr("“%1”").arg(job);
    if (jobs.size() > kMostNamed)
        named << QStringLiteral("…");
    return (isOneRun ? TrainWorkspace::tr("%1 jobs in the queue cannot start without it: %2") : TrainWorkspace::tr("%1 jobs in the queue cannot start without them: %2"))
               .arg(jobs.size())
               .arg(named.join(QStringLiteral(", "))) +
           (jobs.size() > kMostNamed ? QString() : QStringLiteral("."));
}

} // namespace

/// The open model that a run wrote; null if it is not open.
const OpenModel* TrainWorkspace::openModelOf(const fs::path& run) const {
    return m_parts.session->models()->of(normalised(RunPaths{run}.model()));
}

/// All runs of the rows that are chosen in Runs while it is being used, else the current one.
std::vector<fs::path> TrainWorkspace::runsToRemove() const {
    std::vector<fs::path> folders;
    if (m_runs->hasFocus())
        for (const QString& key : m_runs->selectedKeys())
            for (const RunItem& run : m_runs->runs()->groups()[static_cast<std::size_t>(m_runs->runs()->rowOf(key))].runs)
                folders.push_back(run.folder);
    if (folders.empty() && !m_current.empty())
        folders.push_back(m_current);
    return folders;
}

/// The action says how many it would take, before it takes them.
void TrainWorkspace::updateRemove() {
    QAction* remove = m_actions->remove;
    const std::vector<fs::path> folders = runsToRemove();
    QString why;
    if (folders.empty())
        why = tr("Choose a run first.");
    for (const fs::path& folder : folders) {
        const RunItem* run = m_store.find(folder);
        const bool several = folders.size() > 1;
        if (run && run->goesOn())
            why = several ? tr("“%1” is running. Stop it first.").arg(widgets::runTitle(*run)) : tr("This run is running. Stop it first.");
        else if (run && run->isQueued)
            why = several ? tr("“%1” waits in the queue. Remove it there first.").arg(widgets::runTitle(*run))
                          : tr("This run waits in the queue. Remove it there first.");
        else if (!run && m_store.findWaiting(folder))
            why = tr("This job has not started. Remove it from the queue instead.");
        else if (!run && m_store.findEvaluation(folder))
            why = tr("No run here has trained this model. Choose a run first.");
    }
    remove->setText(folders.size() > 1 ? tr("Move %1 runs to the wastebasket").arg(folders.size()) : tr("Move to the wastebasket"));
    setAvailable(remove, why);
    if (!why.isEmpty()) // its tip is the reason
        return;
    const RunItem* one = folders.size() == 1 ? m_store.find(folders.front()) : nullptr;
    setToolTipWithKey(remove, one ? tr("Move the folder of “%1” to the wastebasket.").arg(widgets::runTitle(*one))
                                  : tr("Move the folders of %1 runs to the wastebasket: all runs of the rows that are chosen in Runs.").arg(folders.size()));
}

void TrainWorkspace::removeRuns(const std::vector<fs::path>& folders) {
    const auto move = [this, folders] {
        MovedFolders moved;
        QStringList opened;
        std::map<fs::path, QString> without; // the jobs that need them; one may need two
        for (const fs::path& folder : folders) {
            std::map<fs::path, QString> needing;
            for (const widgets::WaitingItem& job : m_store.waiting())
                if (needsRun(job, folder))
                    needing.emplace(job.file, job.name);
            const RunItem* run = m_store.find(folder);
            const EvaluationInfo* evaluation = m_store.findEvaluation(folder);
            const QString title = run          ? widgets::runTitle(*run)
                                  : evaluation ? m_store.titleOf(*evaluation)
                                               : toQString(folder.filename());
            InWastebasket one;
            const QString sentence = m_queue.moveToWastebasket(folder, &one);
            say(sentence);
            if (!sentence.isEmpty())
                continue;
            moved.name = tr("“%1”").arg(title);
            moved.folders.push_back(one);
            without.merge(needing);
            if (const OpenModel* model = openModelOf(folder))
                opened << tr("“%1”").arg(model->shownName());
        }
        if (moved.folders.size() > 1)
            moved.name = tr("%1 runs").arg(moved.folders.size());
        moved.remark = opened.isEmpty()           ? QString()
                       : moved.folders.size() == 1 ? tr("Its model is open in Analyse, where nothing more can be computed with it.")
                       : opened.size() == 1 ? tr("Still open in Analyse, where nothing more can be computed with it: %1.").arg(opened.front())
                                            : tr("Still open in Analyse, where nothing more can be computed with them: %1.").arg(opened.join(QStringLiteral(", ")));
        if (!without.empty()) {
            QStringList names;
            for (const auto& [file, name] : without)
                names << name;
            moved.remark += (moved.remark.isEmpty() ? QString() : QStringLiteral(" ")) + cannotStart(names, moved.folders.size() == 1);
        }
        return moved;
    };
    removeFolders(m_parts.session, Removed::Runs, move, [this](const InWastebasket& one) {
        const QString sentence = m_queue.bringBack(one);
        say(sentence);
        // What was asked of the model meanwhile failed: it is opened anew.
        if (const OpenModel* model = openModelOf(one.folder); model && sentence.isEmpty())
            m_parts.session->setModelFolder(model->id, model->folder);
    });
}

/// Nothing is asked: the settings of the job come back with it.
void TrainWorkspace::removeFromQueue(const fs::path& job) {
    const widgets::WaitingItem* known = m_store.findWaiting(job);
    const QString name = tr("“%1”").arg(known ? known->name : toQString(job.stem()));
    const auto removed = std::make_shared<RemovedJob>();
    const auto file = std::make_shared<fs::path>(job);
    const auto takeOut = [this, file, name, removed] {
        *removed = {};
        std::error_code ignored;
        if (!fs::exists(*file, ignored)) // it was begun, or somebody else was faster
            return QString();
        say(m_queue.removeWaiting(*file, removed.get()));
        return removed->file.empty() ? QString()
               : removed->placed     ? tr("Asked %1 to remove %2 from its queue.").arg(removed->place, name)
                                     : tr("Removed %1 from the queue.").arg(name);
    };
    removeWith(m_parts.session, Removed::Job, tr("removal of %1 from the queue").arg(name), takeOut, [this, removed, file] {
        say(m_queue.putBack(*removed, file.get()));
        return !file->empty();
    });
}

} // namespace headroom::app
