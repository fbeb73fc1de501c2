// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/recipe.h"

#include <cstdint>

namespace headroom::training {

/// Returns the learning rate of update number `update`, counted from 0; as in fairseq the first one is that
/// of update 0, where the warm-up begins. With the peak P, warm-up w, hold h, decay d, initial and final
/// factors i and f, and u updates:
/// - u < w: P (i + (1 − i) u / w), linear;
/// - u < w + h: P;
/// - then, with t = min(1, (u − w − h) / d), by `schedule`:
///   inverse-sqrt P √((w + h) / u); constant P; linear P (1 − (1 − f) t); cosine
///   P (f + (1 − f) (1 + cos πt) / 2); exponential P f^t (with a hold: fairseq's tri-stage);
///   plateau P · plateauFactor^reductions.
///
/// d = 0 stands for what `maxUpdates` leaves behind w + h, at least 1. `reductions`: how often a plateau was
/// found.
double learningRate(const Recipe::Optimiser& recipe, std::int64_t maxUpdates, std::int64_t update,
                    std::int64_t reductions = 0);

/// The share of γ of relaxed attention in update number `update`, counted from 0: (update + 1) / relaxationWarmupUpdates, at most 1.
double relaxationShare(const Recipe::Optimiser& recipe, std::int64_t update);

} // namespace headroom::training
