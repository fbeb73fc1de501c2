// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runs/removed_job.h"

#include "app/runs/job_inputs.h"
#include "app/runs/kept_names.h"
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

RemovedJob contentsOfJob(const fs::path& file, const std::optional<Job>& job) {
    RemovedJob removed;
    const fs::path runs = runsOfJob(file);
    removed.file = file;
    removed.wasServed = queueIsRunning(runs);
    if (job) {
        removed.run = job->run.is_absolute() ? job->run : runs / job->run;
        removed.resumes = job->resume;
    }
    std::vector<fs::path> files;
    if (job && !job->resume) {
        files = {architectureInput(runs, job->run), recipeInput(runs, job->run)};
        removed.called = keptName(runs / job->run.filename());
    }
    files.push_back(file); // last: whoever sees the job finds the others
    for (const fs::path& one : files)
        if (std::ifstream stream(one, std::ios::binary); stream)
            removed.contents.emplace_back(one, std::string(std::istreambuf_iterator<char>(stream), {}));
    return removed;
}

} // namespace

bool removeJob(const fs::path& file, RemovedJob* removed) {
    std::error_code problem;
    fs::path run, watched;
    std::optional<Job> known;
    const bool failed = file.parent_path().filename() == "failed";
    try {
        const Job& job = known.emplace(readJob(file));
        run = job.resume ? fs::path() : job.run;
        const auto place = failed ? std::nullopt : readRunPlace(job.run);
        if (job.watch && !failed && !fs::exists(RunPaths{job.run}.run()))
            watched = job.run;
        if (!job.watch && place && place->begun && place->contact != RunPlace::Contact::Ended) {
            askToStop(job.run);
            return false;
        }
    } catch (const Error&) {
        run.clear(); // it names no inputs that could be ours
    }
    RemovedJob contents = contentsOfJob(file, known);
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

void putBack(const RemovedJob& removed) {
    const fs::path& file = removed.file;
    std::error_code ignored;
    const auto refuse = [&](const char* code, const char* why) {
        throw Error(code, removed.run.filename().string() + " cannot be put back into the queue: " + why + ".", {{"file", file.string()}});
    };
    // Its folder's name may have been given to another run: a job that left the queue reserves nothing.
    const bool isFailed = file.parent_path().filename() == "failed", hasBegun = fs::exists(RunPaths{removed.run}.run(), ignored);
    if (fs::exists(file, ignored) || (!isFailed && jobOfRun(runsOfJob(file), removed.run)))
        refuse("run.exists", "it is in the queue again");
    if (removed.resumes && !hasBegun)
        refuse("run.missing", "its run folder is gone");
    if (removed.resumes && FileLock::isLocked(RunPaths{removed.run}.lock()))
        refuse("run.exists", "it is running again");
    if (!removed.resumes && !isFailed && hasBegun)
        refuse("run.exists", "another run has its folder");
    if (!removed.called.isEmpty())
        keepName(runsOfJob(file) / removed.run.filename(), removed.called);
    for (const auto& [one, bytes] : removed.contents)
        writeAtomically(one, std::string_view(bytes), "run.unwritable");
}

} // namespace headroom::app
