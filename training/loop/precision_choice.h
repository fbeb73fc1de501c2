// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "core/runs/recipe.h"
#include "models/layers/parameters.h"
#include "training/data/loader.h"

#include <string>

namespace headroom::training {

struct PrecisionChoice {
    std::string precision; ///< "fp32" or "bf16", the faster
    std::string sentence;  ///< both times, for the log
};

/// Trains on `batch` once to warm up and twice to measure, in each precision. Changes no weight and leaves no
/// gradient.
PrecisionChoice choosePrecision(const models::Parameters& parameters, const Architecture& architecture,
                                const Recipe::Loss& loss, const Batch& batch);

} // namespace headroom::training
