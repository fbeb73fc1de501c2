// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/places/place.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::training {

/// A job as squeue lists it. A value.
struct SlurmJob {
    std::string id, state, reason; ///< "48213", "PENDING", "Priority"
    std::string start, node;       ///< expected or real start, "2026-11-22T14:20:00"; empty: unknown
};

/// The time between two calls of one of Slurm's programs that ask for states: 10 s, or what HEADROOM_SQUEUE_SECONDS says, for clusters
/// whose administrators want fewer.
std::chrono::milliseconds askInterval();

/// The time since writeAnswer() wrote a file; a day if it is missing, or dated in the future: then the clock was put back since.
std::chrono::nanoseconds ageOfAnswer(const std::filesystem::path& file);
/// Writes what one of Slurm's programs said, dated by the clock of this machine: that of a file server may differ by an hour.
void writeAnswer(const std::filesystem::path& file, std::string_view text);

/// Parses `squeue --noheader --array --format=%i|%T|%r|%S|%N`; an element of an array is "48213_2". Lines of another form are passed over.
std::vector<SlurmJob> parseQueueList(const std::string& output);

/// What a waiting or running job is told as: "Job 48213 waits (Priority), starts about 14:20."; empty while
/// it runs.
std::string waitingSentence(const SlurmJob& job);

/// What the end of a job means, from its last state as `sacct` or `scontrol` has it ("CANCELLED by 1000",
/// "TIMEOUT"…); empty for COMPLETED and for an unknown state.
std::string endSentence(const std::string& id, const std::string& state);

/// The script for sbatch. `folder`: in which it is handed in; the job is named after its last part. `command`: the words that train,
/// with --resume, so that the job can be started again. Near its time limit the run saves itself and the job is queued again.
/// `tasks`: on each node; more than one in all are started by srun. Pure.
std::string sbatchScript(const Place& place, const std::filesystem::path& folder, const std::vector<std::string>& command, int tasks = 1);

/// The script for sbatch of several runs, each an element of a job array: it goes into the run's folder and becomes the script
/// there (sbatchScript). `folder`: as for sbatchScript. `runs`: their folders, absolute. Pure.
std::string arrayScript(const Place& place, const std::filesystem::path& folder, const std::vector<std::string>& runs, int tasks = 1);

/// Ranks on each node of a run: `ranks` over all nodes, or with 0 one on each GPU that is asked for, else one. Throws Error
/// "slurm.ranks" for a number that does not go into the nodes.
int ranksPerNode(const Place& place, int ranks);

/// The jobs of this user, by one call of squeue for all runs of this folder at most every 10 s (or HEADROOM_SQUEUE_SECONDS): the processes
/// that follow them share its answer in RUNS/queue/squeue.txt, and in squeue.problem why it gave none. `meanwhile`: called while squeue is
/// waited for, up to 20 s (or HEADROOM_SQUEUE_PATIENCE). Throws Error "slurm.squeue" with squeue's own words if there is no answer of the last minute.
std::vector<SlurmJob> jobsOfUser(const std::filesystem::path& runs, const std::function<void()>& meanwhile = {});

} // namespace headroom::training
