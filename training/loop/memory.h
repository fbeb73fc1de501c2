// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "core/runs/recipe.h"
#include "training/data/examples.h"

#include <cstdint>
#include <vector>

namespace headroom::training {

/// What a recipe makes of the examples: the extents of its batches, with padding, and the features kept.
struct BatchExtent {
    std::int64_t utterances = 0, frames = 0, targets = 0; ///< targets with </s>
};
struct DataExtent {
    std::vector<BatchExtent> batches;
    std::int64_t frames = 0; ///< of all examples
};
DataExtent extentOf(const ExampleSet& examples, const Recipe& recipe);

/// Bytes that a training needs at its peak, beside what the process holds before it begins: weights,
/// gradients, Adam's moments, what the largest batch keeps from its way forward for its way back, the losses,
/// features. Measured ones are within 20 % (README.md). `precision`: "fp32" | "bf16", else the larger of
/// both. Throws as encoderCosts.
std::int64_t predictedBytes(const Architecture& architecture, const Recipe& recipe, const DataExtent& data,
                            const std::string& precision);

/// Of this process, resident: now, and at most until now.
std::int64_t residentBytes();
std::int64_t peakResidentBytes();

/// Throws Error "train.doesNotFit" with both numbers where `needed` is more than the machine has free
/// (`available`; −1: nobody knows, and nothing is refused).
void refuseTrainingThatDoesNotFit(std::int64_t needed, std::int64_t available);

} // namespace headroom::training
