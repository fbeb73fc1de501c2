// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/commands/worker_commands.h"
#include "core/runs/run_folder.h"
#include "training/devices/devices.h"
#include "training/loop/trainer.h"
#include "training/ranks/local_ranks.h"
#include "training/ranks/ranks.h"

#include <functional>
#include <optional>

namespace headroom::training {

/// Returns the place of this process among those of `train`: that of a launcher (torchrun, srun), or rank 0 of
/// options.ranks on this machine; nullopt for one process. Throws Error "ranks.environment" where both are given and
/// differ.
std::optional<RankPlace> placeOf(const TrainOptions& options);

/// Turns the device "all" into a GPU for each of as many ranks as `devices` has GPUs that can be used, unless a number of ranks was
/// named or a launcher started this process.
void takeAllGpus(TrainOptions& options, const ComputeDevices& devices);

/// Sets options.ranks of a run that is resumed to the number of ranks that it was asked for. If it was trained on GPUs, the number is
/// at most that of the usable GPUs in `devices`. Changes nothing if ranks or a device were named, or if a launcher started this process.
/// Returns the number that the run was asked for if there are fewer usable GPUs, also with the device "all"; else 0.
int takeRanksOfRun(TrainOptions& options, const std::function<ComputeDevices()>& devices);

/// Records in `info` how many ranks train the run now, and that `wanted` were asked for if that is more. Returns the sentences that
/// the log says about it; empty if all that were asked for train it.
std::string decideRanks(RunInfo& info, std::int64_t ranks, std::int64_t wanted);

/// translationNote() as this process says it: of several ranks only rank 0.
std::string translationNoteAt(const std::optional<RankPlace>& place, const ComputeDevice& gpu);

/// The own number of the GPU of this process, as RunInfo::gpus has it; none without one.
std::vector<std::string> ownGpu();

/// Returns this machine's name; empty: it has none.
std::string hostName();

/// Meets the other ranks; at rank 0 of this machine starts them before, with the same `device` for --device as this one. `local`
/// must outlive the result. `gpus`: those of all ranks, as RunInfo names them. On GPUs they are connected through NCCL. Throws what Ranks throws, and Error "ranks.refused" where
/// their devices do not go together.
std::unique_ptr<Ranks> meetRanks(const TrainOptions& options, const RankPlace& place, const std::string& device,
                                 LocalRanks& local, std::vector<std::string>& gpus);

/// Gives what rank 0 has read and decided (recipe, architecture, info) to the others, which take it over.
void shareRun(Ranks& ranks, TrainSetup& setup, RunInfo& info);

/// Every rank calls it with what went wrong there, empty if nothing did. Throws Error "ranks.refused" with all
/// sentences if one is not empty.
void agree(Ranks& ranks, const std::string& problem);

} // namespace headroom::training
