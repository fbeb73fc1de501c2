// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/launch.h"

#include "app/documents/items/paths.h"
#include "app/jobs/worker_command.h"
#include "app/runs/job_inputs.h"
#include "app/runs/kept_names.h"
#include "app/runs/run_names.h"
#include "app/runs/run_reading.h"
#include "core/commands/worker_commands.h"
#include "core/places/run_place.h"
#include "core/runs/failed_jobs.h"
#include "core/runs/jobs.h"
#include "core/runs/run_folder.h"
#include "core/runs/seeds.h"
#include "core/tensors/atomic_file.h"
#include "widgets/look/translate.h"

#include <QDateTime>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {

const std::string kUnwritable = "run.unwritable";

void clearOldInputs(const fs::path& runs) {
    std::error_code ignored;
    std::vector<fs::path> old;
    for (const auto& entry : fs::directory_iterator(jobInputs(runs), ignored)) {
        const std::string run = toQString(entry.path().filename()).section(u'.', 0, 0).toStdString();
        if (fs::exists(RunPaths{runs / run}.recipe(), ignored) &&
            fs::exists(RunPaths{runs / run}.architecture(), ignored))
            old.push_back(entry.path());
    }
    for (const fs::path& file : old)
        fs::remove(file, ignored);
}

/// Before the jobs are there: who sees them sees their names.
void keepNames(const fs::path& runs, const std::vector<Job>& jobs, std::vector<widgets::RunItem> known) {
    addWaitingRuns(known, runs);
    for (const Job& job : jobs)
        if (auto fresh = readJobItem(job, runs)) {
            fresh->info.created = utcNow();
            fresh->called = nameAtStart(*fresh, known); // the next seed is of the same experiment
            if (!fresh->called.isEmpty())
                keepName(fresh->folder, fresh->called);
            known.push_back(std::move(*fresh));
        }
}

constexpr int kMostName = 60, kMostSplit = 30; // letters: with times, seeds and suffixes they fit into the 255 bytes of a file's name

/// The waiting job that will go on with a run that has ended. One that the queue is still doing, and removes next, will not.
std::optional<fs::path> jobThatResumes(const fs::path& runs, const fs::path& run) {
    std::error_code ignored;
    const bool queueRuns = queueIsRunning(runs), isAtPlace = fs::exists(runPlaceFile(run), ignored);
    return jobOfRun(runs, run, [&](const fs::path& file, const Job& job) {
        const bool goes = queueRuns && (isAtPlace ? !job.resume : hasJustEnded(run, file));
        return !goes;
    });
}

/// Replaces what a file name must not contain by "-".
QString nameForFolder(const QString& text, int most) {
    QString name;
    for (const QChar letter : text)
        name += letter.isLetterOrNumber() || letter == u'_' ? letter : u'-';
    static const QRegularExpression dashes(QStringLiteral("-{2,}"));
    name.replace(dashes, QStringLiteral("-"));
    while (name.startsWith(u'-'))
        name.remove(0, 1);
    while (name.endsWith(u'-'))
        name.chop(1);
    return name.left(most);
}

/// "TIME_2026-11-21T10-31_local_seed-1_test-clean": of a long name, seed and split stay whole, so that evaluations of one model are
/// told apart.
QString evaluationFolderName(const QString& when, const fs::path& model, const QString& split) {
    static const QRegularExpression seedAtEnd(QStringLiteral("_seed-\\d+(_\\d+)?$"));
    QString name = toQString(model.filename());
    const QString seed = seedAtEnd.match(name).captured();
    name.chop(seed.size());
    name = nameForFolder(name, kMostName);
    return when + u'_' + (name.isEmpty() ? QStringLiteral("model") : name) + seed + u'_' + nameForFolder(split, kMostSplit);
}

void makeFolder(const fs::path& folder) {
    std::error_code problem;
    fs::create_directories(folder, problem);
    if (problem)
        throw Error(kUnwritable, folder.string() + " could not be created: " + problem.message() + ".",
                    {{"folder", folder.string()}});
}

} // namespace

std::optional<std::vector<std::uint64_t>> parseSeeds(const QString& text, QString& mistake) {
    try {
        return headroom::parseSeeds(text.toStdString());
    } catch (const Error& error) {
        mistake = QString::fromUtf8(error.what());
        return std::nullopt;
    }
}

QString runFolderName(const QString& when, const QString& architecture, std::optional<std::uint64_t> seed) {
    const QString name = nameForFolder(architecture, kMostName);
    return when + u'_' + (name.isEmpty() ? QStringLiteral("run") : name) + (seed ? QStringLiteral("_seed-%1").arg(*seed) : QString());
}

QString whyNotARunsFolder(const fs::path& runs) {
    std::error_code problem;
    if (fs::is_directory(runs, problem)) {
        const QFileInfo folder(toQString(runs));
        return !folder.isReadable() || !folder.isExecutable() ? tr("%1 cannot be read.").arg(toQString(runs))
               : folder.isWritable()                          ? QString()
                                                              : tr("%1 is not writable.").arg(toQString(runs));
    }
    if (fs::exists(runs, problem))
        return tr("%1 is not a folder.").arg(toQString(runs));
    fs::path missing = runs;
    while (missing.has_relative_path() && !fs::exists(missing.parent_path(), problem))
        missing = missing.parent_path();
    if (!fs::create_directory(missing, problem) && problem)
        return tr("%1 could not be created: %2.").arg(toQString(runs), QString::fromStdString(problem.message()));
    fs::remove(missing, problem);
    return {};
}

std::vector<fs::path> enqueue(const Launch& launch, const std::vector<widgets::RunItem>* known) {
    makeFolder(jobInputs(launch.runs));
    settleKeptNames(launch.runs);
    clearOldInputs(launch.runs);
    const QString when = QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyy-MM-ddTHH-mm"));
    std::vector<fs::path> runs, files;
    for (const std::uint64_t seed : launch.seeds)
        runs.push_back(
            freeRunFolder(launch.runs, runFolderName(when, QString::fromStdString(launch.architecture.name), seed)));
    std::vector<Job> jobs;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const fs::path& run = runs[i];
        Job job;
        job.run = run;
        job.hold = launch.hold;
        if (runs.size() > 1 && !launch.place.empty() && !launch.hold)
            job.array = runs;
        job.architecture = architectureInput(launch.runs, run);
        job.recipe = recipeInput(launch.runs, run);
        job.data = launch.data;
        job.startFrom = launch.startFrom;
        job.seed = launch.seeds[i];
        job.place = launch.place;
        job.device = launch.device;
        job.allCheckpoints = launch.allCheckpoints;
        // Copies: what is queued does not change when a file or a draft does.
        writeAtomically(job.architecture, std::string_view(canonicalText(launch.architecture)), kUnwritable);
        writeAtomically(job.recipe, std::string_view(canonicalText(launch.recipe)), kUnwritable);
        jobs.push_back(std::move(job));
    }
    if (known)
        keepNames(launch.runs, jobs, *known);
    for (const Job& job : jobs) {
        files.push_back(nextJobFile(launch.runs, job.run));
        writeJob(files.back(), job);
    }
    return files;
}

fs::path enqueueResume(const fs::path& run) {
    const fs::path runs = run.parent_path();
    if (const auto waiting = jobThatResumes(runs, run)) // asked for twice, or its queue was ended: once is enough
        return *waiting;
    forgetFailedJobs(runs, run);
    Job job;
    job.run = run;
    job.resume = true;
    const fs::path file = nextJobFile(runs, run);
    writeJob(file, job);
    return file;
}

fs::path enqueueWatch(const fs::path& runs, const std::string& place, const std::string& name) {
    Job job;
    job.run = runs / toPath(QString::fromStdString(name));
    std::error_code ignored;
    if (fs::exists(RunPaths{job.run}.run(), ignored) || jobOfRun(runs, job.run))
        throw Error("run.exists", "A run named " + name + " is already in the list.", {{"run", job.run.string()}});
    job.place = place;
    job.watch = true;
    const fs::path file = nextJobFile(runs, job.run);
    writeJob(file, job);
    return file;
}

fs::path enqueueEvaluation(const fs::path& runs, const EvaluationRequest& request, const fs::path& folder) {
    const fs::path model = runFolderOf(request.model);
    const QString when = QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyy-MM-ddTHH-mm-ss"));
    const QString name = evaluationFolderName(when, model, QString::fromStdString(request.split));
    if (!folder.empty()) // its job may wait since its queue was ended; asked for twice, once is enough
        if (const auto waiting = jobOfRun(runs, folder))
            return *waiting;
    Job job;
    job.run = folder.empty() ? freeRunFolder(evaluationsFolder(runs), name) : folder;
    job.evaluation = request;
    job.place = request.place;
    const fs::path file = nextJobFile(runs, job.run);
    writeJob(file, job);
    return file;
}

fs::path enqueueAgain(const fs::path& failed) {
    const fs::path runs = failed.parent_path().parent_path().parent_path();
    Job job = readJob(failed);
    job.error.clear();
    const fs::path file = nextJobFile(runs, job.run);
    writeJob(file, job);
    std::error_code problem;
    fs::remove(failed, problem); // one that stays is removed by hand
    return file;
}

void moveFirst(const fs::path& job) {
    const fs::path runs = job.parent_path().parent_path();
    const auto waiting = waitingJobs(runs);
    if (waiting.empty() || waiting.front() == job)
        return;
    int first = jobNumber(waiting.front());
    for (const fs::path& other : waiting)
        first = std::min(first, jobNumber(other));
    const QString rest = toQString(job.filename()).section(u'_', 1);
    const QString name = QStringLiteral("%1_").arg(std::max(first - 1, 0), 6, 10, QLatin1Char('0')) +
                         (rest.isEmpty() ? toQString(job.filename()) : rest);
    std::error_code problem;
    fs::rename(job, job.parent_path() / toPath(name), problem);
    if (problem && fs::exists(job))
        throw Error(kUnwritable, job.string() + " could not be moved: " + problem.message() + ".",
                    {{"file", job.string()}});
}

QStringList commandLines(const Launch& launch) {
    fs::path architecture = launch.architectureFile;
    if (architecture.empty()) {
        architecture =
            jobInputs(launch.runs) / toPath(runFolderName(QStringLiteral("draft"),
                                                       QString::fromStdString(launch.architecture.name), {}) +
                                         QStringLiteral(".json"));
        makeFolder(jobInputs(launch.runs));
        writeAtomically(architecture, std::string_view(canonicalText(launch.architecture)), kUnwritable);
    }
    const QString when = QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyy-MM-ddTHH-mm"));
    const auto lineOf = [&](std::optional<std::uint64_t> seed) {
        TrainOptions train;
        train.architecture = architecture;
        train.recipe = launch.recipeFile;
        train.data = launch.data;
        train.run = freeRunFolder(
            launch.runs, runFolderName(when, QString::fromStdString(launch.architecture.name), seed));
        train.startFrom = launch.startFrom;
        train.seed = seed;
        if (!seed)
            for (const std::uint64_t one : launch.seeds)
                train.seeds += (train.seeds.empty() ? "" : ",") + std::to_string(one);
        train.set = launch.set;
        train.place = launch.place;
        train.hold = launch.hold;
        train.device = launch.device;
        train.allCheckpoints = launch.allCheckpoints;
        return shellLine(arguments(train));
    };
    if (launch.seeds.size() > 1 && !launch.place.empty() && !launch.hold)
        return {lineOf(std::nullopt)};
    QStringList lines;
    for (const std::uint64_t seed : launch.seeds)
        lines << lineOf(seed);
    return lines;
}

} // namespace headroom::app
