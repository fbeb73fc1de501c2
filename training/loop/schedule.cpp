// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headroom::training {

double learningRate(const Recipe::Optimiser& recipe, std::int64_t maxUpdates, std::int64_t update,
                    std::int64_t reductions) {
    const double peak = recipe.learningRate, last = recipe.finalFactor;
    const std::int64_t warmup = recipe.warmupUpdates, held = warmup + recipe.holdUpdates;
    if (update < warmup) {
        const double share = static_cast<double>(update) / static_cast<double>(warmup);
        return peak * (recipe.initialFactor + (1 - recipe.initialFactor) * share);
    }
    if (update < held || recipe.schedule == "constant")
        return peak;
    if (recipe.schedule == "inverse-sqrt")
        return peak * std::sqrt(static_cast<double>(held) / static_cast<double>(update));
    if (recipe.schedule == "plateau")
        return peak * std::pow(recipe.plateauFactor, static_cast<double>(reductions));
    const std::int64_t decay =
        recipe.decayUpdates > 0 ? recipe.decayUpdates : std::max<std::int64_t>(1, maxUpdates - held);
    const double t = std::min(1.0, static_cast<double>(update - held) / static_cast<double>(decay));
    if (recipe.schedule == "linear")
        return peak * (1 - (1 - last) * t);
    if (recipe.schedule == "cosine")
        return peak * (last + (1 - last) * (1 + std::cos(std::numbers::pi * t)) / 2);
    return peak * std::pow(last, t);
}

double relaxationShare(const Recipe::Optimiser& recipe, std::int64_t update) {
    const std::int64_t warmup = recipe.relaxationWarmupUpdates;
    return update + 1 >= warmup ? 1 : static_cast<double>(update + 1) / static_cast<double>(warmup);
}

} // namespace headroom::training
