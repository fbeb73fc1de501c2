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

/// The state of a run between two updates. Together with the weights and the optimiser's moments it is
/// complete, because every random number follows from the seed and these counts.
struct TrainState {
    std::int64_t update = 0;        ///< updates done
    std::int64_t epoch = 1;         ///< the current one
    std::int64_t group = 0;         ///< updates done in it
    std::int64_t validated = 0;     ///< update of the last validation
    std::int64_t withoutBetter = 0; ///< validations since the best
    std::int64_t sincePlateau = 0;  ///< validations since the best, or since the learning rate fell
    std::int64_t reductions = 0;    ///< how often a plateau made the learning rate fall
    nlohmann::json best;            ///< {update, score, loss, wer, bleu, decoded}, or null
    nlohmann::json interval;        ///< Meter::counted(), so that the next point of the curves is the same, too
};

nlohmann::json toJson(const TrainState& state);
/// Throws nlohmann::json::exception where something is missing.
TrainState trainStateFrom(const nlohmann::json& document);

/// Why a checkpoint was saved. Only those due by the recipe are averaged and kept, so that a stopped and
/// resumed run ends with the same model as an uninterrupted one.
enum class SavedFor { Recipe, Stop };

/// Writes checkpoints/step-000500.safetensors (stop-000512 for SavedFor::Stop): the weights by name,
/// "adam.mean.NAME" and "adam.variance.NAME", and the TrainState in the metadata.
std::filesystem::path checkpointFile(const RunPaths& run, std::int64_t update, SavedFor reason);
void writeCheckpoint(const std::filesystem::path& file, const models::Parameters& parameters,
                     const Adam& optimiser, const TrainState& state);
/// Reads into existing tensors. Throws Error "checkpoint.…", which names the file and the first problem.
TrainState readCheckpointInto(const std::filesystem::path& file, const models::Parameters& parameters,
                              const Adam& optimiser);

/// Links "last" or "best" in checkpoints/ to one of its files; replaced atomically.
void linkCheckpoint(const RunPaths& run, const std::string& name, const std::filesystem::path& file);
/// Returns the files of a run, oldest first: those due by the recipe, or all.
std::vector<std::filesystem::path> checkpointFiles(const RunPaths& run, bool withStops);
/// Removes the oldest ones except `keep` and the target of `best`, and those of earlier stops.
void pruneCheckpoints(const RunPaths& run, std::int64_t keep);

/// Returns the mean of the weights in `files`, summed in double, without the optimiser's moments. Throws like
/// readCheckpointInto.
models::Parameters averageOf(const std::vector<std::filesystem::path>& files, const models::Parameters& like);

} // namespace headroom::training
