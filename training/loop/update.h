// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "training/data/loader.h"
#include "training/loop/batch_loss.h"
#include "training/loop/optimiser.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headroom::training {

/// What learns, and how. Everything outlives it.
struct Learner {
    const models::Parameters& parameters;
    Adam& optimiser;
    const Architecture& architecture;
    const Recipe& recipe;
    const std::string& precision; ///< as decided: "fp32" | "bf16"
    std::uint64_t seed;
};

/// What one update was made of.
struct UpdateOutcome {
    BatchLoss loss;          ///< summed over the batches
    std::int64_t frames = 0; ///< without padding
    double waited = 0;       ///< seconds, for the loader
    double gradientNorm = 0; ///< per target token, before clipping
    double learningRate = 0; ///< of this update
};

/// Loss or gradient is not a number; the weights are as they were.
struct NotFinite {
    const char* what;                   ///< "loss" | "gradient"
    std::vector<std::int64_t> examples; ///< whose
};

/// One update, numbered from 0, from the next `batches` of the loader: forward, backward, clipping, Adam.
/// Throws NotFinite, and what the loader throws.
UpdateOutcome makeUpdate(const Learner& learner, BatchLoader& loader, std::int64_t batches,
                         std::int64_t update);

} // namespace headroom::training
