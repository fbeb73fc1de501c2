// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/run_folder.h"
#include "models/layers/parameters.h"
#include "training/loop/optimiser.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headroom::training {

/// Where a run stands between two updates. With the weights and the optimiser's moments this is all there
/// is: every random number follows from the seed and from these counts.
struct TrainState {
    std::int64_t update = 0;        ///< updates done
    std::int64_t epoch = 1;         ///< the current one
    std::int64_t group = 0;         ///< updates done in it
    std::int64_t validated = 0;     ///< update of the last validation
    std::int64_t withoutBetter = 0; ///< validations since the best
    nlohmann::json best;            ///< {update, score, loss, wer, bleu}, or null
};

/// What made a run save. Only those that the recipe asked for are averaged and kept: a run that was stopped
/// and resumed ends with the same model as one that was not.
enum class SavedFor { Recipe, Stop };

/// checkpoints/step-000500.safetensors (stop-000512 for SavedFor::Stop): the weights by name,
/// "adam.mean.NAME" and "adam.variance.NAME", and the TrainState in the metadata.
std::filesystem::path checkpointFile(const RunPaths& run, std::int64_t update, SavedFor reason);
void writeCheckpoint(const std::filesystem::path& file, const models::Parameters& parameters,
                     const Adam& optimiser, const TrainState& state);
/// Into what is there already. Throws Error "checkpoint.…" naming the file and the first thing that is wrong.
TrainState readCheckpointInto(const std::filesystem::path& file, const models::Parameters& parameters,
                              const Adam& optimiser);

/// A link in checkpoints/, "last" or "best", to one of the files there; replaced atomically.
void linkCheckpoint(const RunPaths& run, const std::string& name, const std::filesystem::path& file);
/// The files of a run, oldest first: those that the recipe asked for, or every one.
std::vector<std::filesystem::path> checkpointFiles(const RunPaths& run, bool withStops);
/// Removes the oldest, so that `keep` stay, and what `best` links to; and those of earlier stops.
void pruneCheckpoints(const RunPaths& run, std::int64_t keep);

/// The mean of the weights in `files`, added up in double; the optimiser's moments are left out. Throws
/// as readCheckpointInto.
models::Parameters averageOf(const std::vector<std::filesystem::path>& files, const models::Parameters& like);

} // namespace headroom::training
