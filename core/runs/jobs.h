// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"
#include "core/runs/evaluations.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

/// RUNS/queue/NAME.json: one requested training run, or evaluation. Paths are absolute, or relative to RUNS.
struct Job {
    std::filesystem::path run; ///< the run's folder
    bool resume = false;       ///< continue that run; nothing below is needed then
    std::filesystem::path architecture, recipe, data;
    std::string startFrom; ///< MODEL or MODEL:encoder; empty: random weights
    std::optional<std::uint64_t> seed;
    std::vector<std::string> set; ///< "dotted.key=JSON", in order
    /// Folders of the runs, this one included, that are one job array where the place is a Slurm cluster; empty: none.
    std::vector<std::filesystem::path> array;
    std::string place; ///< of core/places, by name; empty: this machine, or with resume where the run was; of an evaluation: its own
    bool watch = false; ///< at a place: only watch the run that somebody else started there; nothing else is needed then
    bool hold = false;  ///< at a Slurm cluster: the script is written, and handed in when the user has seen it
    std::string device; ///< as --device takes it; empty: the CPU, at a place what the place says
    int ranks = 0;      ///< processes that train the run together; 0: one, at a place as many as it says
    bool allCheckpoints = false; ///< at a place: bring every checkpoint that the run keeps, not only the last and the best
    std::optional<EvaluationRequest> evaluation; ///< then `run` is its folder, and nothing else is needed
    std::string error;                           ///< in failed/: why it could not be started
};

/// Throws Error "job.missing", "job.badJson" or "job.value", which name the file and the key.
Job readJob(const std::filesystem::path& file);
/// Returns why a job in RUNS/queue/failed was put aside, also if the rest of it is not a job; empty: it does not say. Throws Error
/// "job.missing" or "job.badJson".
std::string whyPutAside(const std::filesystem::path& file);
/// Writes RUNS/queue/NAME.json atomically and creates the folder. Throws Error "run.unwritable".
void writeJob(const std::filesystem::path& file, const Job& job);

/// Returns the waiting jobs in RUNS/queue by name, the order in which they run.
std::vector<std::filesystem::path> waitingJobs(const std::filesystem::path& runs);
/// Returns the first waiting job of a run (an absolute path), if there is one; with `fits`, the first that it accepts.
std::optional<std::filesystem::path> jobOfRun(const std::filesystem::path& runs, const std::filesystem::path& run,
                                              const std::function<bool(const std::filesystem::path& file, const Job& job)>& fits = {});
/// Returns the number that a job's file name begins with, "500003_NAME.json"; kFirstJob for a name without one.
int jobNumber(const std::filesystem::path& job);
/// Returns the file for a job of this run behind all that wait.
std::filesystem::path nextJobFile(const std::filesystem::path& runs, const std::filesystem::path& run);
std::filesystem::path jobFile(const std::filesystem::path& runs, int number, const std::filesystem::path& run);
inline constexpr int kFirstJob = 500000; ///< lower numbers are for jobs that are moved to the front
/// Returns whether a queue process serves this folder.
bool queueIsRunning(const std::filesystem::path& runs);

inline std::filesystem::path queueFolder(const std::filesystem::path& runs) {
    return runs / "queue";
}
inline std::filesystem::path queueLock(const std::filesystem::path& runs) {
    return queueFolder(runs) / "lock";
}
/// Folder of copies of architectures and recipes: RUN.architecture.json, RUN.recipe.json. What is queued does not change when a
/// file or a draft does.
inline std::filesystem::path jobInputs(const std::filesystem::path& runs) {
    return queueFolder(runs) / "inputs";
}
/// Removes the copies that a job that will not run has in there, except those that another job, waiting or put aside, needs. Never throws.
void removeInputs(const std::filesystem::path& runs, const Job& job);
/// Folder of jobs that could not be started: NAME.json with an added "error".
inline std::filesystem::path failedJobs(const std::filesystem::path& runs) {
    return queueFolder(runs) / "failed";
}
/// Returns the jobs in there by name.
std::vector<std::filesystem::path> putAsideJobs(const std::filesystem::path& runs);

} // namespace headroom
