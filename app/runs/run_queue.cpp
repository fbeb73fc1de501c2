// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/run_queue.h"

#include "app/documents/items/paths.h"
#include "app/jobs/worker_command.h"
#include "app/jobs/worker_location.h"
#include "app/runs/kept_names.h"
#include "app/runs/run_names.h"
#include "app/runs/run_reading.h"
#include "core/commands/worker_commands.h"
#include "core/places/run_place.h"
#include "core/runs/failed_jobs.h"
#include "core/runs/jobs.h"
#include "core/runs/run_control.h"
#include "core/runs/run_folder.h"
#include "core/tensors/atomic_file.h"
#include "widgets/run_monitor/run_words.h"

#include <QProcess>

#include <algorithm>
#include <functional>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {

constexpr int kCareMilliseconds = 30000; // how long after a job was written the process is looked after
constexpr int kPauseMilliseconds = 2000; // between two starts

/// A message of `train` and the queue belongs into files, not to the terminal that the window was started
/// from.
fs::path queueLog(const fs::path& runs) {
    return queueFolder(runs) / "queue.log";
}

} // namespace

RunQueue::RunQueue(RunStore* store, QObject* parent) : QObject(parent), m_store(store) {
    connect(store, &RunStore::changed, this, &RunQueue::lookAfter);
    connect(store, &RunStore::changed, this, &RunQueue::shareNames);
}

QString RunQueue::guarded(const std::function<void()>& work) {
    try {
        work();
        m_store->lookNow();
        return {};
    } catch (const std::exception& failure) {
        return QString::fromUtf8(failure.what());
    }
}

QString RunQueue::add(const std::function<fs::path()>& enqueue) {
    const QString sentence = guarded([&] { Q_EMIT enqueued(enqueue()); });
    return sentence.isEmpty() ? startProcess() : sentence;
}

QString RunQueue::start(const Launch& launch) {
    return add([&] { return enqueue(launch, &m_store->runs()).front(); });
}

QString RunQueue::resume(const fs::path& run) {
    if (FileLock::isLocked(RunPaths{run}.lock()) && takeRequest(run, RunControl::Pause)) {
        m_store->lookNow();
        return {};
    }
    if (const auto* known = m_store->find(run); known && known->waits)
        return tr("“%1” is waiting at %2 and will continue automatically.").arg(widgets::runTitle(*known), known->place);
    return add([&] {
        clearRequest(run); // an old “stop” would end it at once
        return enqueueResume(run);
    });
}

QString RunQueue::startAgain(const fs::path& job) {
    return add([&] { return enqueueAgain(job); });
}

QString RunQueue::pause(const fs::path& run) {
    return guarded([&] { askToPause(run); });
}

QString RunQueue::evaluate(const fs::path& run) {
    return guarded([&] { askToEvaluate(run); });
}

QString RunQueue::evaluate(const EvaluationRequest& request) {
    return add([&] { return enqueueEvaluation(m_store->folder(), request); });
}

QString RunQueue::watch(const QString& place, const QString& name) {
    return add([&] { return enqueueWatch(m_store->folder(), place.toStdString(), name.toStdString()); });
}

QString RunQueue::watchAgain(const EvaluationInfo& evaluation, const QString& place) {
    return add([&] {
        clearRequest(evaluation.folder); // an old “stop” would end it at once
        EvaluationRequest request = evaluation.request;
        request.place = place.toStdString();
        return enqueueEvaluation(m_store->folder(), request, evaluation.folder);
    });
}

QString RunQueue::stop(const fs::path& run) {
    const QString sentence = guarded([&] { askToStop(run); });
    if (sentence.isEmpty())
        m_stopping.insert(toQString(run));
    return sentence;
}

QString RunQueue::tryNow(const fs::path& run) {
    return guarded([&] { askToReconnect(run); });
}

QString RunQueue::sendScript(const fs::path& run, const QString& text) {
    const QString sentence = guarded([&] {
        const std::string bytes = text.toStdString();
        writeAtomically(runScriptFile(run), std::string_view(bytes), "run.unwritable");
        askToSend(run);
    });
    return sentence.isEmpty() ? startProcess() : sentence; // who watches it hands it in
}

QString RunQueue::moveJobFirst(const fs::path& job) {
    return guarded([&] { moveFirst(job); });
}

QString RunQueue::removeWaiting(const fs::path& job, RemovedJob* removed) {
    bool gone = true;
    const QString sentence = guarded([&] { gone = removeJob(job, removed); });
    return gone || !sentence.isEmpty() ? sentence : startProcess(); // who watches it asks the place
}

QString RunQueue::putBack(const RemovedJob& removed, fs::path* file) {
    file->clear();
    const QString sentence = guarded([&] { *file = app::putBack(removed); });
    return sentence.isEmpty() && (removed.wasServed || removed.placed) ? startProcess() : sentence;
}

QString RunQueue::moveToWastebasket(const fs::path& run, InWastebasket* moved) {
    if (FileLock::isLocked(RunPaths{run}.lock())) {
        const auto* known = m_store->find(run);
        return tr("“%1” is still running. Stop it first.").arg(known ? widgets::runTitle(*known) : toQString(run.filename()));
    }
    if (const auto* known = m_store->find(run); known && known->isQueued)
        return tr("“%1” waits in the queue. Remove it there first.").arg(widgets::runTitle(*known));
    settleKeptNames(run.parent_path()); // it goes with the folder, and comes back with it
    InWastebasket unused;
    const QString sentence = app::moveToWastebasket(run, moved ? *moved : unused);
    if (sentence.isEmpty()) // else what was refused would be news when it comes back
        forgetFailedJobs(run.parent_path(), run);
    m_store->lookNow();
    return sentence;
}

QString RunQueue::bringBack(const InWastebasket& moved) {
    const QString sentence = app::bringBack(moved);
    m_store->lookNow();
    return sentence;
}

QString RunQueue::rename(const std::vector<fs::path>& runs, const QString& name) {
    return guarded([&] {
        const QString line = name.simplified();
        std::vector<widgets::RunItem> known = m_store->runs();
        const std::size_t begun = known.size();
        addWaitingRuns(known, m_store->folder());
        settleKeptNames(m_store->folder()); // a change beside the copies of a job would not be seen in the run's folder
        for (const fs::path& run : runs) {
            std::error_code ignored;
            if (line.isEmpty())
                fs::remove(RunPaths{run}.name(), ignored);
            else
                giveName(run, line);
        }
        for (const widgets::RunItem& branch : branchesRenamed(known, begun, runs, line)) {
            try {
                changeKeptName(branch.folder, branch.called);
            } catch (const Error&) { // somebody else's folder
                continue;
            }
        }
    });
}

/// A run that began after its experiment was renamed has the name in its folder too, where the worker reads it.
void RunQueue::shareNames() {
    const auto& runs = m_store->runs();
    for (const auto& run : runs) {
        std::error_code ignored;
        if (run.given.isEmpty() || m_named.contains(run.folder))
            continue;
        if (!fs::exists(RunPaths{run.folder}.name(), ignored)) {
            // The look may be older than a renaming.
            if (std::ranges::none_of(runs, [&](const auto& other) { return other.group == run.group && givenName(other.folder) == run.given; }))
                continue;
            try {
                giveName(run.folder, run.given);
            } catch (const Error&) { // somebody else's folder, perhaps only for now
                continue;
            }
        }
        m_named.insert(run.folder);
    }
}

QString RunQueue::startProcess() {
    m_care = QDeadlineTimer(kCareMilliseconds);
    m_pause = QDeadlineTimer(kPauseMilliseconds);
    const WorkerLocation worker = findWorker();
    if (worker.program.isEmpty())
        return worker.sentence;
    if (queueIsRunning(m_store->folder()))
        return {};
    std::error_code ignored;
    fs::create_directories(queueFolder(m_store->folder()), ignored);
    QProcess process;
    process.setProgram(worker.program);
    process.setArguments(processArguments(arguments(QueueOptions{m_store->folder()})));
    process.setWorkingDirectory(toQString(m_store->folder()));
    process.setStandardInputFile(QProcess::nullDevice());
    process.setStandardOutputFile(toQString(queueLog(m_store->folder())), QIODevice::Append);
    process.setStandardErrorFile(toQString(queueLog(m_store->folder())), QIODevice::Append);
    if (!process.startDetached()) // in a session of its own
        return tr("%1 could not be started: %2. The job stays in the queue.").arg(worker.program,
            process.errorString());
    return {};
}

/// The process may have ended between its last look and our job: then nobody serves it, and we start another.
void RunQueue::lookAfter() {
    for (const QString& folder : QSet<QString>(m_stopping)) {
        const auto* run = m_store->find(toPath(folder));
        const EvaluationInfo* evaluation = m_store->findEvaluation(toPath(folder));
        if ((!run || !run->goesOn()) &&
            (!evaluation || evaluation->state != EvaluationInfo::State::Running))
            m_stopping.remove(folder);
    }
    for (const fs::path& folder : m_store->stopping()) // asked before this start, or by another window
        m_stopping.insert(toQString(folder));
    bool waits = false;
    for (const auto& job : m_store->waiting())
        waits = waits || job.error.isEmpty();
    if (!waits || m_care.hasExpired() || m_store->queueRuns() || !m_pause.hasExpired())
        return;
    const QDeadlineTimer care = m_care;
    if (const QString sentence = startProcess(); !sentence.isEmpty())
        Q_EMIT problem(sentence);
    m_care = care;
}

QSet<QString> RunQueue::stopping() const {
    return m_stopping;
}

} // namespace headroom::app
