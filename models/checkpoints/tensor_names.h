// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headroom::models {

struct ExpectedTensor {
    std::string name;
    std::vector<std::int64_t> shape;
};

/// Every tensor that an S2T Transformer of this architecture has, by its Hugging Face name (README.md of this
/// folder), in the order of the network. `tied`: the output projection is the embedding, and has no tensor of
/// its own.
std::vector<ExpectedTensor> expectedTensors(const Architecture& architecture, bool tied);

/// Tensors of old files that hold nothing learnt: the tables of sinusoidal positions.
bool isTableOfPositions(const std::string& name);

} // namespace headroom::models
