// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace headroom::training {

/// Writes the mean of `count` checkpoints of a finished run as a model folder: the last ones, or the best one and its neighbours
/// (for 7: three before it and three after it, or as many as there are). BatchNorm's statistics
/// are averaged too. Throws Error "experiment.checkpoints" if the run kept
/// none, and what reading and writing throw.
void averageCheckpoints(const std::filesystem::path& run, int count, bool aroundBest, const std::filesystem::path& model);

/// The run whose model/ this folder is, or which it is itself. Throws Error "model.noRun".
std::filesystem::path runOfModel(const std::filesystem::path& model);

} // namespace headroom::training
