// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace headroom {

/// The checkpoints of a run whose mean the weights of a model are, or the one that they are: file → SHA-256. Two models with the same
/// have the same weights.
using ModelWeights = std::map<std::string, std::string>;

/// As the provenance.json of a folder that `train` exported says. Empty for another model, and where it cannot be read.
ModelWeights weightsOfModel(const std::filesystem::path& model);

/// The update of the newest of them; 0: none.
std::int64_t updateOf(const ModelWeights& weights);

} // namespace headroom
