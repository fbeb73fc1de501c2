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

/// Memory in bytes that training takes at the peak, beyond what is taken before.
struct MemoryNeeds {
    std::int64_t computing = 0; ///< of the device that computes: weights, gradients, Adam's moments, the activations of the
                                ///< largest batch, the losses, and on another device than the CPU the features of two batches
    std::int64_t loading = 0;   ///< of the host: cached features and the batches ahead
    std::int64_t onCpu() const { return computing + loading; }
};

/// Predicts them. On the CPU within 20 % of measurement (README.md). `precision`: "fp32" | "bf16", otherwise the larger of both.
/// Throws like encoderCosts.
MemoryNeeds predictedNeeds(const Architecture& architecture, const Recipe& recipe, const DataExtent& data,
                           const std::string& precision, bool severalRanks, bool onCpu);

/// Resident memory of this process, current and peak, in bytes; on another device than the CPU the memory that this process has
/// taken of it (models/layers/device.h), 0 where that is unknown.
std::int64_t usedBytes();
std::int64_t peakUsedBytes();

/// Throws Error "train.doesNotFit" with both numbers if the needs exceed the free memory of the device that computes, or of the
/// host, or on the CPU both the one memory. −1: unknown, never throws. `device`: its id.
void refuseTrainingThatDoesNotFit(const MemoryNeeds& needs, const std::string& device, std::int64_t freeThere,
                                  std::int64_t freeHere);

} // namespace headroom::training
