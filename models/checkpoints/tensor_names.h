// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/weight_shapes.h"

#include <string>
#include <vector>

namespace headroom::models {

/// A tensor that a checkpoint must have.
using ExpectedTensor = WeightShape;

/// Returns every tensor of a network of this architecture by name (README.md of this folder), in network
/// order. `tied`: the output projection is the embedding and has no tensor of its own, whatever the document
/// says. Throws Error "model.kindNotBuilt" for unsupported heads.
std::vector<ExpectedTensor> expectedTensors(const Architecture& architecture, bool tied);

/// Returns whether a tensor of old files has no parameters: tables of sinusoidal positions.
bool isTableOfPositions(const std::string& name);

} // namespace headroom::models
