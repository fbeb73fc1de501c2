// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace headroom::training {

/// Whether a state is one that a job stays in.
bool isEndOfJob(const std::string& state);

/// Parses `sacct --noheader --allocations --parsable2 --format=JobID,State`, or, with `scontrol`, `scontrol --oneliner show job`: the last
/// state of each job, "48213" or "48213_2" → "TIMEOUT", "CANCELLED by 1000".
std::map<std::string, std::string> parseStates(const std::string& output, bool scontrol);

/// The last state of a job that squeue does not list any more; empty: Slurm has forgotten it; nullopt: not known before the next call.
/// One call of sacct (of scontrol, where accounting is off) serves all jobs of this folder of runs that are asked for, at most every 10 s
/// (askInterval()): who asks leaves the number in RUNS/queue/asked, and the answer is in RUNS/queue/states.txt. `meanwhile`: called while
/// these programs are waited for, up to 20 s each. Throws Error "run.unwritable".
std::optional<std::string> lastStateOf(const std::string& id, const std::filesystem::path& runs,
                                       const std::function<void()>& meanwhile = {});

} // namespace headroom::training
