// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "core/runs/recipe.h"
#include "models/layers/parameters.h"
#include "training/data/examples.h"
#include "training/data/feature_cache.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headroom::training {

/// What the statistics are measured with.
struct StatisticsSource {
    const Architecture& architecture;
    const Recipe& recipe;
    const std::vector<Example>& examples;
    FeatureCache& cache;
    const std::vector<std::vector<std::int64_t>>& batches; ///< indices into `examples`
    std::uint64_t seed;
    const std::string& precision; ///< "fp32" | "bf16"
};

/// Replaces BatchNorm's running statistics in `parameters` by the plain mean of those of the first
/// checkpoints.statisticsBatches batches, in an order that follows from the seed. A mean of weights needs
/// statistics of its own, because those of its members belong to other weights (stochastic weight averaging,
/// Izmailov et al. 2018). Does nothing without BatchNorm or where the recipe asks for none.
void renewStatistics(const models::Parameters& parameters, const StatisticsSource& source);

} // namespace headroom::training
