// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "training/data/loader.h"
#include "training/loop/batch_loss.h"
#include "training/loop/optimiser.h"
#include "training/ranks/gradient_sums.h"

#include <cstdint>
#include <memory>
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
    GradientSums* sums = nullptr; ///< of `ranks`
    bool stop = false;      ///< this rank was asked to stop
    std::int64_t reductions = 0; ///< of the learning rate, by plateaus
    std::int64_t epoch = 1;
    const std::vector<double>* unigram = nullptr; ///< unigramOf() the training texts; null: smoothing is uniform
};

struct PendingOutcome;

/// The result of one update.
struct UpdateOutcome {
    BatchLoss loss;          ///< summed over the batches
    std::int64_t frames = 0; ///< of 10 ms, or tokens of a text (Batch::sourceFrames)
    double waited = 0;       ///< seconds, waiting for the loader
    double gradientNorm = 0; ///< per target token, before clipping
    double learningRate = 0; ///< of this update
    bool stop = false;       ///< a rank was asked to stop: every rank does after this update
    /// Losses and norm that lie on the device, not above; readOutcomes() reads them. Null: there are none.
    std::shared_ptr<const PendingOutcome> pending;
};

/// Loss or gradient is not a number; the weights are unchanged, unless they were read later.
struct NotFinite {
    const char* what;                   ///< "loss" | "gradient"
    std::vector<std::int64_t> examples; ///< whose; with ranks, those of all
    std::int64_t outcome = 0;           ///< of readOutcomes(): which of them
};

/// Performs one update, numbered from 0, with the next `batches` of the loader: forward, backward, clipping,
/// Adam. With ranks, `loader` has this rank's share of each batch, which may be empty; losses, frames and gradients are
/// the sums over the ranks, the drawn γ and the seconds waited this rank's own. Throws NotFinite (every rank does),
/// OutOfMemory (out_of_memory.h), and the errors of the loader and of Ranks.
///
/// On a device that is not the CPU the outcome is pending, tokens, frames and `stop` aside: nothing waited for the device.
/// `loss` is then this rank's until readOutcomes() has added up those of all.
UpdateOutcome makeUpdate(const Learner& learner, BatchLoader& loader, std::int64_t batches,
                         std::int64_t update);

/// Reads what is pending of these updates; waits for the device once. With ranks, each calls it after the same updates, and
/// the losses become the sums over them. Throws NotFinite (every rank does, of the same update), which says of which, and
/// the errors of Ranks.
void readOutcomes(std::vector<UpdateOutcome>& outcomes, double ctcWeight, Ranks* ranks = nullptr);

} // namespace headroom::training
