// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/files/wastebasket.h"
#include "app/runs/launch.h"
#include "app/runs/removed_job.h"
#include "app/runs/run_store.h"
#include "core/runs/evaluations.h"

#include <QDeadlineTimer>
#include <QObject>
#include <QSet>

#include <functional>
#include <set>

namespace headroom::app {

/// What can be asked of runs: all of it files that the queue process and `train` read. The queue process is
/// started detached, in a session of its own, and outlives the window. Window's thread; every function gives
/// a sentence where it could not be done, else an empty text.
class RunQueue : public QObject {
    Q_OBJECT

public:
    explicit RunQueue(RunStore* store, QObject* parent = nullptr);

    QString start(const Launch& launch);
    /// Continues a run: from its last checkpoint where it has ended, at once where it is paused.
    QString resume(const std::filesystem::path& run);
    /// Starts a job that was put aside, once more.
    QString startAgain(const std::filesystem::path& job);
    /// `train` waits after its next update, with everything in memory.
    QString pause(const std::filesystem::path& run);
    /// `train` validates after its next update. The best checkpoint and early stopping do not count it.
    QString evaluate(const std::filesystem::path& run);
    /// Evaluates a model, behind what waits.
    QString evaluate(const EvaluationRequest& request);
    /// Brings a run here that somebody else started at a place, and follows it. `name`: of its folder there.
    QString watch(const QString& place, const QString& name);
    /// Finds an evaluation again that is not watched any more, at its place; one that never got there begins again.
    QString watchAgain(const EvaluationInfo& evaluation, const QString& place);
    /// `train` saves first, then ends; an evaluation ends without a result.
    QString stop(const std::filesystem::path& run);
    /// Who watches a run elsewhere whose contact is lost tries again at once.
    QString tryNow(const std::filesystem::path& run);
    /// Keeps a changed script of a run that is held, and sends it.
    QString sendScript(const std::filesystem::path& run, const QString& text);
    QString moveJobFirst(const std::filesystem::path& job);
    /// `removed`: for putBack().
    QString removeWaiting(const std::filesystem::path& job, RemovedJob* removed = nullptr);
    /// Starts the queue process if one was running when the job was removed, and for a job at a place. `file`: of the job now; empty if it
    /// could not be put back.
    QString putBack(const RemovedJob& removed, std::filesystem::path* file);
    /// The run's folder goes to the wastebasket; a run that is being written is left alone.
    /// `moved`: for bringBack(), which takes it out again.
    QString moveToWastebasket(const std::filesystem::path& run, InWastebasket* moved = nullptr);
    QString bringBack(const InWastebasket& moved);
    /// Names the runs of one experiment; an empty name gives them back the one of what differs. Branches of them follow.
    QString rename(const std::vector<std::filesystem::path>& runs, const QString& name);
    /// Starts the queue process where none serves the folder. Doing it once too often does no harm: one holds
    /// the lock.
    QString startProcess();

    /// Runs that were asked to stop and have not yet, as the queue table names them.
    QSet<QString> stopping() const;

Q_SIGNALS:
    void enqueued(const std::filesystem::path& job); ///< on request: the first of the jobs that wait now
    void problem(const QString& sentence); ///< found later, nobody waits for the answer

private:
    QString guarded(const std::function<void()>& work);
    QString add(const std::function<std::filesystem::path()>& enqueue); ///< writes a job, and starts who does it
    void lookAfter();
    void shareNames();

    RunStore* m_store;
    QDeadlineTimer m_care{0}; ///< until then: jobs wait and no process serves them → start one
    QDeadlineTimer m_pause{0};
    QSet<QString> m_stopping;
    std::set<std::filesystem::path> m_named; ///< runs that have the name of their experiment, if it was given one
};

} // namespace headroom::app
