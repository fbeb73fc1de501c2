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

/// Where everything of a run lies. The folder may not exist yet.
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
    std::filesystem::path model() const { return folder / "model"; } ///< the result, a model folder
};

enum class RunState {
    Running,     ///< a process holds the lock
    Stopped,     ///< asked to stop; saved; can be resumed
    Finished,    ///< ended by its recipe
    Failed,      ///< ended by an error, whose sentence is in run.json; can be resumed
    Interrupted, ///< says "running", and nobody holds the lock: killed, or the machine went down. Never
                 ///< written
};
const char* toText(RunState state); ///< "running" …
bool canResume(RunState state);

/// run.json: what a run is, and what was decided once. A value.
struct RunInfo {
    std::string id; ///< the folder's name
    RunState state = RunState::Running;
    std::string error;                   ///< one sentence, where it failed
    std::string created, started, ended; ///< UTC, "2026-11-21T10:31:05Z"; ended empty while it runs
    std::string host, version, libtorch;
    std::int64_t process = 0;
    std::uint64_t seed = 1;
    std::string parent;    ///< id of the run that it starts from, where there is one
    std::string startFrom; ///< model folder, with ":encoder" where only that; empty: from nothing
    std::string data;      ///< the corpus as it was named, absolute
    /// Decided at the first start, kept by every resume.
    struct Decided {
        std::string precision = "fp32", device = "cpu", dataHash;
        std::int64_t threads = 1;
        bool operator==(const Decided&) const = default;
    } decided;
    std::string note;                ///< what train did that was not asked for ("vocabulary set to 500 …")
    std::int64_t update = 0;         ///< last that was written; events.jsonl may be further
    std::int64_t maxUpdates = 0;     ///< of the recipe
    std::int64_t resumed = 0;        ///< how often
    std::int64_t predictedBytes = 0; ///< memory that was expected before it began; 0: nobody knows
    std::int64_t peakBytes = 0;      ///< memory of the process that trains, at most until `update`
    nlohmann::json best;             ///< {update, loss, wer, bleu} of the best validation, or null
};

/// Reads run.json; a run that says "running" while nobody holds its lock is Interrupted. Safe while the run
/// is written. Throws Error "run.missing", "run.badJson".
RunInfo readRun(const std::filesystem::path& folder);
/// Atomic. Throws Error "run.unwritable".
void writeRun(const std::filesystem::path& folder, const RunInfo& info);

/// The folders in `runs` that hold a run.json, by name; `problems` gets a sentence for each that cannot be
/// read. Not the queue's own folder.
std::vector<RunInfo> listRuns(const std::filesystem::path& runs,
                              std::vector<std::string>* problems = nullptr);

/// Takes a run for writing: the only process that may change it. Throws Error "run.inUse" where another
/// process holds it, "run.unwritable" where the folder cannot be made.
FileLock takeRun(const std::filesystem::path& folder);

/// control.json: what somebody asks of a run. `train` looks at it between two updates.
enum class RunRequest { None, Stop };
/// Throws Error "run.unwritable".
void askToStop(const std::filesystem::path& folder);
/// A control.json that is damaged, or says something unknown, asks for nothing.
RunRequest requestOf(const std::filesystem::path& folder);
/// Removes a request that has been answered, or is from an earlier life of the run.
void clearRequest(const std::filesystem::path& folder);

/// "2026-11-21T10:31:05Z".
std::string utcNow();

} // namespace headroom
