// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "training/data/loader.h"
#include "training/loop/batch_loss.h"
#include "training/loop/optimiser.h"
#include "training/ranks/ranks.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headroom::training {

/// What is trained, and how. Everything must outlive it.
struct Learner {
    const models::Parameters& parameters;
    Adam& optimiser;
    const Architecture& architecture;
    const Recipe& recipe;
    const std::string& precision; ///< as decided: "fp32" | "bf16"
    std::uint64_t seed;
    Ranks* ranks = nullptr; ///< null: this process alone
    bool stop = false;      ///< this rank was asked to stop
    std::int64_t reductions = 0; ///< of the learning rate, by plateaus
    std::int64_t epoch = 1;
    const std::vector<double>* unigram = nullptr; ///< unigramOf() the training texts; null: smoothing is uniform
};

/// The result of one update.
struct UpdateOutcome {
    BatchLoss loss;          ///< summed over the batches
    std::int64_t frames = 0; ///< without padding
    double waited = 0;       ///< seconds, waiting for the loader
    double gradientNorm = 0; ///< per target token, before clipping
    double learningRate = 0; ///< of this update
    bool stop = false;       ///< a rank was asked to stop: every rank does after this update
};

/// Loss or gradient is not a number; the weights are unchanged.
struct NotFinite {
    const char* what;                   ///< "loss" | "gradient"
    std::vector<std::int64_t> examples; ///< whose; with ranks, those of all
};

/// Performs one update, numbered from 0, with the next `batches` of the loader: forward, backward, clipping,
/// Adam. With ranks, `loader` has this rank's share of each batch, which may be empty; losses, frames and gradients are
/// the sums over the ranks, the drawn γ and the seconds waited this rank's own. Throws NotFinite (every rank does),
/// OutOfMemory (out_of_memory.h), and the errors of the loader and of Ranks.
UpdateOutcome makeUpdate(const Learner& learner, BatchLoader& loader, std::int64_t batches,
                         std::int64_t update);

} // namespace headroom::training
