// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"
#include "core/runs/file_lock.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

/// The paths of a run. The folder need not exist.
struct RunPaths {
    std::filesystem::path folder;
    std::filesystem::path run() const { return folder / "run.json"; }
    std::filesystem::path architecture() const { return folder / "architecture.json"; }
    std::filesystem::path recipe() const { return folder / "recipe.json"; }
    std::filesystem::path events() const { return folder / "events.jsonl"; }
    std::filesystem::path log() const { return folder / "log.txt"; }
    std::filesystem::path control() const { return folder / "control.json"; }
    std::filesystem::path lock() const { return folder / "lock"; }
    std::filesystem::path checkpoints() const { return folder / "checkpoints"; }
    std::filesystem::path samples() const { return folder / "samples"; }
    std::filesystem::path tensorBoard() const { return folder / "tensorboard"; }
    std::filesystem::path tokenizer() const { return folder / "tokenizer"; } ///< copies of what cuts its texts, under the names of a model folder
    std::filesystem::path model() const { return folder / "model"; } ///< the result, a model folder
    std::filesystem::path name() const { return folder / "name.txt"; } ///< what the user calls it, a line that the window writes
};

enum class RunState {
    Running,     ///< a process holds the lock
    Stopped,     ///< stopped on request; saved; can be resumed
    Finished,    ///< ended by its recipe
    Failed,      ///< ended by an error, recorded in run.json; can be resumed
    Interrupted, ///< run.json says "running" but no process holds the lock: the process or machine went down.
                  ///< Never written
};
const char* toText(RunState state); ///< "running" …
bool canResume(RunState state);

/// The contents of run.json: what a run is, and what was decided once. A value.
struct RunInfo {
    std::string id; ///< the folder's name
    RunState state = RunState::Running;
    std::string error;                   ///< one sentence, if it failed
    std::string created, started, ended; ///< UTC, "2026-11-21T10:31:05Z"; ended empty while it runs
    std::string host, version, libtorch;
    std::int64_t process = 0;
    std::uint64_t seed = 1;
    std::string parent;    ///< id of the run it starts from, if any
    std::string startFrom; ///< model folder, with ":encoder" if only that; empty: random weights
    std::string data;      ///< path of the corpus, absolute
    /// Decided at the first start and kept by every resume.
    struct Decided {
        std::string precision = "fp32", device = "cpu", dataHash;
        std::int64_t threads = 1;
        std::int64_t ranks = 1;       ///< processes that train it together, since it was last started
        std::int64_t wantedRanks = 0; ///< the number asked for, if the machine had too few GPUs for it at the last start; else 0
        bool operator==(const Decided&) const = default;
    } decided;
    std::vector<std::string> gpus;   ///< those that compute since `started`, each by its own number (UUID); empty: none, or unknown
    std::string note;                ///< what train changed without being asked ("vocabulary set to 500 …")
    std::int64_t update = 0;         ///< the last update written; events.jsonl may be further
    std::int64_t maxUpdates = 0;     ///< of the recipe
    std::int64_t resumed = 0;        ///< number of resumes
    std::int64_t earlierSeconds = 0; ///< what the parts before `started` took together; −1: not recorded
    std::int64_t predictedBytes = 0; ///< expected memory; 0: unknown
    std::int64_t peakBytes = 0;      ///< peak memory of the training process until `update`; on a GPU both are of the GPU's
    nlohmann::json best;             ///< {update, loss, wer, bleu} of the best validation, or null
};

/// Reads run.json. The state is Interrupted if it says "running" but no process holds the lock. Safe while
/// the run is written. Throws Error "run.missing", "run.badJson".
RunInfo readRun(const std::filesystem::path& folder);
/// Writes run.json atomically. Throws Error "run.unwritable".
void writeRun(const std::filesystem::path& folder, const RunInfo& info);

/// Returns the runs in `runs` by name, without the queue's folder. Adds a sentence to `problems` for each
/// that cannot be read.
std::vector<RunInfo> listRuns(const std::filesystem::path& runs,
                              std::vector<std::string>* problems = nullptr);

/// What people call the model of a run, here and in studies: the name that the user gave the run, or that it was started under, else
/// `architecture`, and the seed: "demo, layer 6: 29 → 19, seed 1". Empty if `model` is not the result of a run.
std::string nameOfResult(const std::filesystem::path& model, const std::string& architecture);
/// What an architecture is called that is drawn from such a model's: the name that the user gave the run, else `architecture`. Its seed, and what
/// told the run apart when it was started, say nothing of what will be trained. Empty if nameOfResult() is.
std::string nameOfResultsDesign(const std::filesystem::path& model, const std::string& architecture);

/// Locks a run for writing; only the holder may change it. Throws Error "run.inUse" if another process holds
/// it, "run.unwritable" if the folder cannot be created.
FileLock takeRun(const std::filesystem::path& folder);

/// A request in control.json. `train` checks it between two updates.
enum class RunRequest { None, Stop };
/// Throws Error "run.unwritable".
void askToStop(const std::filesystem::path& folder);
/// Returns the request. A damaged or unknown control.json is None.
RunRequest requestOf(const std::filesystem::path& folder);
/// Removes a request that was handled, or that is from an earlier start of the run.
void clearRequest(const std::filesystem::path& folder);

/// Counts a resume in `info`, which was read from `folder`, and adds the time from the last start to the last sign of life to its
/// earlierSeconds.
void countResume(const std::filesystem::path& folder, RunInfo& info);
/// How long an ended run has worked, in seconds, without the time between its parts. NaN while it runs, or if an earlier
/// version did not record it.
double workedSeconds(const RunInfo& info);

/// "2026-11-21T10:31:05Z".
std::string utcNow();
/// When a file was last written; empty if it is not there.
std::string utcOfChange(const std::filesystem::path& file);

} // namespace headroom
