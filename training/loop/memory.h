// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "core/runs/recipe.h"
#include "training/data/examples.h"

#include <cstdint>
#include <vector>

namespace headroom::training {

/// The extents of the batches of a recipe, with padding, and the cached features.
struct BatchExtent {
    std::int64_t utterances = 0, frames = 0, targets = 0; ///< targets with </s>
};
struct DataExtent {
    std::vector<BatchExtent> batches;
    std::int64_t frames = 0; ///< of all examples
};
DataExtent extentOf(const ExampleSet& examples, const Recipe& recipe);

/// Predicts the peak memory of training in bytes, beyond what the process holds before: weights, gradients,
/// Adam's moments, the activations of the largest batch, the losses, features. Within 20 % of measurement
/// (README.md). `precision`: "fp32" | "bf16", otherwise the larger of both. Throws like encoderCosts.
std::int64_t predictedBytes(const Architecture& architecture, const Recipe& recipe, const DataExtent& data,
                            const std::string& precision, bool severalRanks = false);

/// Resident memory of this process: current and peak, in bytes.
std::int64_t residentBytes();
std::int64_t peakResidentBytes();

/// Throws Error "train.doesNotFit" with both numbers if `needed` exceeds the free memory (`available`; −1:
/// unknown, never throws).
void refuseTrainingThatDoesNotFit(std::int64_t needed, std::int64_t available);

} // namespace headroom::training
