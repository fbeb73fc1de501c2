// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/update.h"

#include "training/data/random.h"

#include <ATen/Context.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace headroom::training {

UpdateOutcome makeUpdate(const Learner& learner, BatchLoader& loader, std::int64_t batches,
                         std::int64_t update) {
    using Clock = std::chrono::steady_clock;
    // Dropout draws from torch's generator: it too starts from what the numbers are for.
    at::Generator generator = at::globalContext().defaultGenerator(at::kCPU);
    generator.set_current_seed(
        randomFor(learner.seed, Purpose::Dropout, static_cast<std::uint64_t>(update)).next());
    const Recipe::Optimiser& recipe = learner.recipe.optimiser;
    UpdateOutcome outcome;
    std::vector<std::int64_t> members;
    for (std::int64_t i = 0; i < batches; ++i) {
        const auto start = Clock::now();
        const auto batch = loader.next();
        outcome.waited += std::chrono::duration<double>(Clock::now() - start).count();
        BatchLoss loss;
        {
            const PrecisionScope precision(learner.precision);
            loss =
                batchLoss(learner.parameters, learner.architecture, learner.recipe.loss, *batch, true, true);
        }
        members.insert(members.end(), batch->examples.begin(), batch->examples.end());
        if (!std::isfinite(loss.total(learner.recipe.loss.ctcWeight)))
            throw NotFinite{"loss", batch->examples};
        outcome.loss.add(loss);
        outcome.frames += batch->sourceFrames;
    }
    double factor = 1 / static_cast<double>(outcome.loss.crossEntropy.tokens);
    outcome.gradientNorm = learner.optimiser.gradientNorm() * factor;
    if (!std::isfinite(outcome.gradientNorm))
        throw NotFinite{"gradient", members};
    if (recipe.clipNorm > 0)
        factor *= std::min(1.0, recipe.clipNorm / (outcome.gradientNorm + 1e-6));
    outcome.learningRate = inverseSqrt(recipe.learningRate, recipe.warmupUpdates, update);
    learner.optimiser.apply(update + 1, factor);
    return outcome;
}

} // namespace headroom::training
