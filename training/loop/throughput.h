// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "core/runs/recipe.h"
#include "training/data/examples.h"

#include <cstdint>
#include <filesystem>

namespace headroom::training {

/// What to measure: the updates of a training run, from the first batch of its first epoch on.
struct ThroughputSetup {
    Architecture architecture;
    Recipe recipe; ///< its precision may not be "auto"
    ExampleSet examples;
    std::int64_t threads = 1;
    std::int64_t warmUp = 1;       ///< updates that are not measured; a GPU wants an epoch of them, so that it has seen every shape
    std::int64_t updates = 8;      ///< after them
    std::filesystem::path batches; ///< folder for the batches in order; empty: not written
};

struct Throughput {
    std::int64_t updates = 0, frames = 0, targetTokens = 0; ///< frames of 10 ms, or tokens of a text
    double seconds = 0, processorSeconds = 0;               ///< of all updates; including the loader's
                                                             ///< threads
    double waiting = 0;                                     ///< share of `seconds` spent waiting for data
    double loss = 0;                                        ///< nats per target token, of the last update
    std::int64_t peakBytes = 0;                             ///< peakUsedBytes()
    std::int64_t predictedBytes = 0;                        ///< predicted before the run
    double framesPerSecond() const { return static_cast<double>(frames) / seconds; }
};

/// Trains new weights and measures; writes no run. `batches`: batch-NNN.npz with `features` f32 [batch,
/// frame, bin], `frames` i64 [batch], `targets` i64 [batch, target] (without </s>, padded with −1), as used
/// by the updates, so that another program can do the same work. Sets torch's number of threads.
Throughput measureThroughput(const ThroughputSetup& setup);

} // namespace headroom::training
