// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/commands/worker_commands.h"
#include "core/runs/run_folder.h"
#include "training/places/host_sessions.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace headroom::training {

/// What is told of runs while they are watched, where it is not empty. Called by the threads of the runs.
struct PlaceOutput {
    std::function<void(const std::string& sentence)> note;
    /// Per cent that were copied, or updates. `run`: name of its folder.
    std::function<void(const std::string& run, std::int64_t done, std::int64_t total,
                       const std::string& what)>
        progress;
};

/// Runs at other places that this process watches: each on a thread, those of one host over one session. A
/// signal ends the watching, not the runs. One thread calls it.
class PlaceRuns {
public:
    /// How a run ended. nullopt: the watching ended before it.
    using End = std::optional<RunState>;

    /// What ends the watching: a signal, or leave().
    enum class Ends { BySignal, ByOwner };
    explicit PlaceRuns(PlaceOutput output, Ends ends = Ends::BySignal) : m_output(std::move(output)), m_ends(ends) {}

    /// Starts what is new and watches all of these until they have ended. Of several that are new at one
    /// Slurm cluster one job array is made; they share architecture, data and start model. Each future throws
    /// what watchRun() throws.
    std::vector<std::future<End>> watch(const std::vector<TrainOptions>& runs);

    /// Takes a run back (its folder here) that is not wanted any more. What is being copied for it alone stops, and its future
    /// throws Error "place.takenBack"; if it was handed over, it is asked to stop there. What was copied stays there. A run that somebody else started, and that is only
    /// watched, goes on there: it is not asked for anything.
    void takeBack(const std::filesystem::path& run);
    /// Ends the watching of all runs, where it ends by its owner.
    void leave();

    /// How a run is told that it is not wanted any more. The runs of a job array share what is copied.
    struct Copying {
        std::atomic<bool> stop{false};
        std::atomic<int> wanted{0}; ///< runs that still want it
    };
    struct Wish {
        std::shared_ptr<Copying> copying = std::make_shared<Copying>();
        std::atomic<bool> leave{false}, takenBack{false};
        bool watchOnly = false; ///< somebody else started it
        const std::atomic<bool>* leaves = nullptr; ///< `leave`, or the flag of a signal
        const std::atomic<bool>* stops = nullptr;  ///< likewise of the copying
    };

private:
    PlaceOutput m_output;
    Ends m_ends;
    std::map<std::filesystem::path, std::shared_ptr<Wish>> m_wishes; ///< by folder here
    HostSessions m_sessions;
};

/// Starts one run at its place, or finds it again, and watches it with a connection of its own, on this
/// thread. Throws Error "place.unknown", "run.exists", "train.otherPlace", what reading the documents throws,
/// and what the place says.
PlaceRuns::End watchRun(const TrainOptions& options, const PlaceOutput& output);

/// What of a corpus work on a task goes there, as usedFiles() says it; of a language model's task as Sentences::files() does.
std::vector<std::string> usedFilesOfTask(const std::filesystem::path& corpus, const std::string& task, const std::set<std::string>& splits);

/// The run's folder, absolute and without a slash at its end.
std::filesystem::path runFolderOf(const TrainOptions& options);

/// Why a run did not end well, one sentence, or an empty text.
std::string problemOfRun(const TrainOptions& options, RunState state);

/// One run for each of the seeds, in RUN_seed-N. Throws Error "seeds.value".
std::vector<TrainOptions> runsOfSeeds(const TrainOptions& options);

} // namespace headroom::training
