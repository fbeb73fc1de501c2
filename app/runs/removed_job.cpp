// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/removed_job.h"

#include "app/runs/job_inputs.h"
#include "app/runs/kept_names.h"
#include "app/runs/launch.h"
#include "core/commands/job_options.h"
#include "core/places/run_place.h"
#include "core/runs/run_control.h"
#include "core/runs/run_folder.h"
#include "core/tensors/atomic_file.h"

#include <fstream>
#include <iterator>
#include <optional>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {

/// RUNS of RUNS/queue/NAME.json, or of one in RUNS/queue/failed.
fs::path runsOfJob(const fs::path& file) {
    const fs::path queue = file.parent_path();
    return queue.filename() == "failed" ? queue.parent_path().parent_path() : queue.parent_path();
}

/// `resumes`: its run has documents and a name of its own.
RemovedJob contentsOfJob(const fs::path& file, const std::optional<Job>& job, bool resumes) {
    RemovedJob removed;
    const fs::path runs = runsOfJob(file);
    removed.file = file;
    removed.wasServed = queueIsRunning(runs);
    if (job)
        removed.run = job->run.is_absolute() ? job->run : runs / job->run;
    removed.resumes = resumes;
    std::vector<std::pair<fs::path, fs::path>> files; // and where the same is if the first one was cleared away
    if (job && !resumes) {
        const RunPaths own{removed.run};
        files = {{architectureInput(runs, job->run), own.architecture()}, {recipeInput(runs, job->run), own.recipe()}};
        removed.called = keptName(runs / job->run.filename());
    }
    files.emplace_back(file, fs::path()); // last: whoever sees the job finds the others
    for (const auto& [one, same] : files)
        for (const fs::path& source : {one, same})
            if (std::ifstream stream(source, std::ios::binary); stream) {
                removed.contents.emplace_back(one, std::string(std::istreambuf_iterator<char>(stream), {}));
                break;
            }
    return removed;
}

fs::path putBackAnew(const RemovedJob& removed) {
    const fs::path runs = runsOfJob(removed.file);
    Job job = *removed.placed;
    if (job.evaluation)
        return enqueueEvaluation(runs, *job.evaluation);
    job.run = freeRunFolder(runs, toQString(removed.run.filename()));
    job.array.clear(); // the others of it are handed in without this one
    job.architecture = architectureInput(runs, job.run);
    job.recipe = recipeInput(runs, job.run);
    for (const auto& [one, bytes] : removed.contents)
        if (one != removed.file)
            writeAtomically(one == architectureInput(runs, removed.run) ? job.architecture : job.recipe, std::string_view(bytes), "run.unwritable");
    if (!removed.called.isEmpty())
        keepName(job.run, removed.called);
    const fs::path file = nextJobFile(runs, job.run);
    writeJob(file, job);
    return file;
}

} // namespace

bool removeJob(const fs::path& file, RemovedJob* removed) {
    std::error_code problem;
    fs::path run, watched;
    std::optional<Job> known;
    const bool failed = file.parent_path().filename() == "failed";
    bool isAtPlace = false, resumes = false;
    QString place; // of a job that goes on with a run, only its run knows it
    try {
        const Job& job = known.emplace(readJob(file));
        const auto at = failed ? std::nullopt : readRunPlace(job.run);
        place = at ? QString::fromStdString(at->place.name) : QString();
        if (job.watch && !failed && !fs::exists(RunPaths{job.run}.run()))
            watched = job.run;
        isAtPlace = !job.watch && at && at->begun && at->contact != RunPlace::Contact::Ended;
        resumes = job.resume || (!isAtPlace && continuesRun(runsOfJob(file), job));
        run = resumes ? fs::path() : job.run;
    } catch (const Error&) {
        run.clear(); // it names no inputs that could be ours
    }
    RemovedJob contents = contentsOfJob(file, known, resumes);
    if (isAtPlace) {
        askToStop(known->run);
        if (removed) {
            *removed = std::move(contents);
            removed->placed = known;
            removed->place = place;
        }
        return false;
    }
    fs::remove(file, problem);
    if (problem)
        throw Error("run.unwritable", file.string() + " could not be removed: " + problem.message() + ".",
                    {{"file", file.string()}});
    if (removed)
        *removed = std::move(contents);
    const fs::path runs = runsOfJob(file);
    if (!watched.empty() && !queueIsRunning(runs)) // a queue does it itself
        forgetRunPlace(watched);
    if (run.empty())
        return true;
    forgetName(runs / run.filename());
    fs::remove(architectureInput(runs, run), problem);
    fs::remove(recipeInput(runs, run), problem);
    return true;
}

fs::path putBack(const RemovedJob& removed) {
    const fs::path& file = removed.file;
    std::error_code ignored;
    const auto refuse = [&](const char* code, const char* why) {
        throw Error(code, removed.run.filename().string() + " cannot be put back into the queue: " + why + ".", {{"file", file.string()}});
    };
    // Its folder's name may have been given to another run: a job that left the queue reserves nothing.
    const bool isPlaced = removed.placed.has_value();
    if (isPlaced && removed.resumes && fs::exists(file, ignored))
        refuse("run.exists", "its place has not given it back yet");
    if (isPlaced && !removed.resumes && fs::exists(RunPaths{removed.run}.run(), ignored))
        refuse("run.exists", "it began before it was removed, so resume it instead");
    if (isPlaced && !removed.resumes)
        return putBackAnew(removed);
    const bool isFailed = file.parent_path().filename() == "failed", hasBegun = fs::exists(RunPaths{removed.run}.run(), ignored);
    if (fs::exists(file, ignored) || (!isFailed && jobOfRun(runsOfJob(file), removed.run)))
        refuse("run.exists", "it is in the queue again");
    if (removed.resumes && !hasBegun)
        refuse("run.missing", "its run folder is gone");
    if (removed.resumes && FileLock::isLocked(RunPaths{removed.run}.lock()))
        refuse("run.exists", "it is running again");
    if (!removed.resumes && !isFailed && hasBegun)
        refuse("run.exists", "another run has its folder");
    if (isPlaced)
        clearRequest(removed.run); // the one to stop
    if (!removed.called.isEmpty())
        keepName(runsOfJob(file) / removed.run.filename(), removed.called);
    for (const auto& [one, bytes] : removed.contents)
        writeAtomically(one, std::string_view(bytes), "run.unwritable");
    return file;
}

} // namespace headroom::app
