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
    bool buffer = false; ///< running statistics: kept, not learnt
};

/// Every tensor that a network of this architecture has, by its name (README.md of this folder), in the order
/// of the network. `tied`: the output projection is the embedding, and has no tensor of its own, whatever the
/// document says. Throws Error "model.kindNotBuilt" for heads that nothing computes.
std::vector<ExpectedTensor> expectedTensors(const Architecture& architecture, bool tied);

/// Tensors of old files that hold nothing learnt: the tables of sinusoidal positions.
bool isTableOfPositions(const std::string& name);

} // namespace headroom::models
