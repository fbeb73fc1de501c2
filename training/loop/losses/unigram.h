// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/recipe.h"
#include "training/data/examples.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace headroom::training {

/// The share of each label among the targets of a decoder or language model, </s> of every text included, with
/// loss.unigramCount added to every count. Empty if the recipe smooths uniformly.
std::optional<std::vector<double>> unigramOf(const std::vector<Example>& examples, std::int64_t vocabulary,
                                             const Recipe::Loss& loss);

} // namespace headroom::training
