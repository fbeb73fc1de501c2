// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/launch.h"

#include "app/documents/paths.h"
#include "app/jobs/worker_command.h"
#include "core/commands/worker_commands.h"
#include "core/runs/jobs.h"
#include "core/runs/run_folder.h"
#include "core/tensors/atomic_file.h"
#include "widgets/look/translate.h"

#include <QDateTime>
#include <QRegularExpression>

#include <algorithm>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMostSeeds = 100;
const std::string kUnwritable = "run.unwritable";

fs::path architectureInput(const fs::path& runs, const fs::path& run) {
    return jobInputs(runs) / (run.filename().string() + ".architecture.json");
}
fs::path recipeInput(const fs::path& runs, const fs::path& run) {
    return jobInputs(runs) / (run.filename().string() + ".recipe.json");
}

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

/// The same name twice in a minute gets a number.
fs::path freeRunFolder(const fs::path& runs, const QString& name) {
    std::error_code ignored;
    for (int copy = 1;; ++copy) {
        const fs::path folder = runs / toPath(copy == 1 ? name : name + QStringLiteral("_%1").arg(copy));
        if (!fs::exists(folder, ignored) && !fs::exists(recipeInput(runs, folder), ignored))
            return folder;
    }
}

void makeFolder(const fs::path& folder) {
    std::error_code problem;
    fs::create_directories(folder, problem);
    if (problem)
        throw Error(kUnwritable, folder.string() + " could not be made: " + problem.message() + ".",
                    {{"folder", folder.string()}});
}

} // namespace

std::optional<std::vector<std::uint64_t>> parseSeeds(const QString& text, QString& mistake) {
    static const QRegularExpression separator(QStringLiteral("[\\s,;]+"));
    static const QRegularExpression range(QStringLiteral("^([0-9]{1,15})(?:[-–]([0-9]{1,15}))?$"));
    std::vector<std::uint64_t> seeds;
    for (const QString& part : text.split(separator, Qt::SkipEmptyParts)) {
        const auto match = range.match(part);
        if (!match.hasMatch()) {
            mistake = tr("“%1” is no seed. Seeds are whole numbers: 1 2 3, or 1-3.").arg(part);
            return std::nullopt;
        }
        const std::uint64_t first = match.captured(1).toULongLong();
        const std::uint64_t last = match.captured(2).isEmpty() ? first : match.captured(2).toULongLong();
        if (last < first || last - first >= kMostSeeds) {
            mistake = last < first ? tr("“%1” counts backwards.").arg(part)
                                   : tr("“%1” is more than %2 seeds.").arg(part).arg(kMostSeeds);
            return std::nullopt;
        }
        for (std::uint64_t seed = first; seed <= last; ++seed)
            if (std::find(seeds.begin(), seeds.end(), seed) == seeds.end())
                seeds.push_back(seed);
    }
    if (seeds.empty() || seeds.size() > kMostSeeds) {
        mistake = seeds.empty() ? tr("A run needs a seed, for example 1.")
                                : tr("These are more than %1 seeds.").arg(kMostSeeds);
        return std::nullopt;
    }
    return seeds;
}

QString runFolderName(const QString& when, const QString& architecture, std::optional<std::uint64_t> seed) {
    QString name;
    for (const QChar letter : architecture)
        name += letter.isLetterOrNumber() || letter == u'_' ? letter : u'-';
    static const QRegularExpression dashes(QStringLiteral("-{2,}"));
    name.replace(dashes, QStringLiteral("-"));
    while (name.startsWith(u'-'))
        name.remove(0, 1);
    while (name.endsWith(u'-'))
        name.chop(1);
    name = name.left(60).isEmpty() ? QStringLiteral("run") : name.left(60);
    return when + u'_' + name + (seed ? QStringLiteral("_seed-%1").arg(*seed) : QString());
}

std::vector<fs::path> enqueue(const Launch& launch) {
    makeFolder(jobInputs(launch.runs));
    clearOldInputs(launch.runs);
    const QString when = QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyy-MM-ddTHH-mm"));
    std::vector<fs::path> jobs;
    for (const std::uint64_t seed : launch.seeds) {
        const fs::path run = freeRunFolder(
            launch.runs, runFolderName(when, QString::fromStdString(launch.architecture.name), seed));
        Job job;
        job.run = run;
        job.architecture = architectureInput(launch.runs, run);
        job.recipe = recipeInput(launch.runs, run);
        job.data = launch.data;
        job.startFrom = launch.startFrom;
        job.seed = seed;
        job.place = launch.place;
        job.device = launch.device;
        // Copies: what is queued does not change when a file or a draft does.
        writeAtomically(job.architecture, std::string_view(canonicalText(launch.architecture)), kUnwritable);
        writeAtomically(job.recipe, std::string_view(canonicalText(launch.recipe)), kUnwritable);
        jobs.push_back(nextJobFile(launch.runs, run));
        writeJob(jobs.back(), job);
    }
    return jobs;
}

fs::path enqueueResume(const fs::path& run) {
    const fs::path runs = run.parent_path();
    if (const auto waiting = jobOfRun(runs, run)) // asked for twice: once is enough
        if (readJob(*waiting).resume)
            return *waiting;
    Job job;
    job.run = run;
    job.resume = true;
    const fs::path file = nextJobFile(runs, run);
    writeJob(file, job);
    return file;
}

fs::path enqueueEvaluation(const fs::path& runs, const EvaluationRequest& request) {
    const fs::path model = request.model.filename() == "model" ? request.model.parent_path() : request.model;
    const QString when = QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyy-MM-ddTHH-mm-ss"));
    const QString name = runFolderName(when, toQString(model.filename()) + u'_' + QString::fromStdString(request.split), {});
    Job job;
    job.run = freeRunFolder(evaluationsFolder(runs), name);
    job.evaluation = request;
    const fs::path file = nextJobFile(runs, job.run);
    writeJob(file, job);
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

void removeJob(const fs::path& file) {
    std::error_code problem;
    fs::path run;
    try {
        const Job job = readJob(file);
        run = job.resume ? fs::path() : job.run;
    } catch (const Error&) {
        run.clear(); // it names no inputs that could be ours
    }
    fs::remove(file, problem);
    if (problem)
        throw Error(kUnwritable, file.string() + " could not be removed: " + problem.message() + ".",
                    {{"file", file.string()}});
    const fs::path runs = file.parent_path().filename() == "failed"
                              ? file.parent_path().parent_path().parent_path()
                              : file.parent_path().parent_path();
    if (run.empty())
        return;
    fs::remove(architectureInput(runs, run), problem);
    fs::remove(recipeInput(runs, run), problem);
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
    QStringList lines;
    for (const std::uint64_t seed : launch.seeds) {
        TrainOptions train;
        train.architecture = architecture;
        train.recipe = launch.recipeFile;
        train.data = launch.data;
        train.run = freeRunFolder(
            launch.runs, runFolderName(when, QString::fromStdString(launch.architecture.name), seed));
        train.startFrom = launch.startFrom;
        train.seed = seed;
        train.set = launch.set;
        train.place = launch.place;
        auto words = arguments(train);
        if (!launch.device.empty())
            words.insert(words.end(), {"--device", launch.device});
        lines << shellLine(words);
    }
    return lines;
}

} // namespace headroom::app
