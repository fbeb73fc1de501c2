// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "core/runs/recipe.h"
#include "models/layers/parameters.h"
#include "models/networks/layer_factors.h"

#include <cstdint>
#include <string>

namespace headroom::training {

/// Layer drop (Fan et al. 2020) leaves out each layer of a stack with the same probability, as fairseq does: for a whole
/// batch, and without a factor for those that stay. Stochastic depth (Huang et al. 2016) leaves out layer l of L with
/// P · l / L; what the others add is divided by the probability that they stay, so that inference needs no factor. With
/// both, they decide one after the other.

bool dropsLayers(const Recipe::Optimiser& recipe);

/// The layers of forward pass `pass` of an update. They follow from (seed, update, pass), whatever the number of ranks
/// and threads.
models::LayerFactors drawnLayers(const Architecture& architecture, const Recipe::Optimiser& recipe, std::uint64_t seed,
                                 std::int64_t update, std::int64_t pass);

/// Gives the layers that every pass left out a gradient of zeros. Without one, Adam would count its steps wrongly.
void fillGradientsOfLayers(const models::Parameters& parameters);

/// Throws Error "train.layerDrop" if the architecture lacks the layers, or has some that cannot be left out. `file` is
/// used in the message.
void checkLayerDrop(const Architecture& architecture, const Recipe::Optimiser& recipe, const std::string& file);

} // namespace headroom::training
