// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/loop/batch_loss.h"

#include <ATen/core/Tensor.h>

namespace headroom::training {

/// The loss of a batch where it was computed: nothing has waited for the device yet. Sums without a
/// dimension, detached.
struct PendingLoss {
    at::Tensor loss, nll;   ///< of the decoder, of frames, or of CTC alone
    at::Tensor ctc;         ///< beside a decoder; undefined: none
    at::Tensor consistency; ///< of a second pass; undefined: none
    std::int64_t tokens = 0;
    std::vector<double> fuzzyGammas;
    /// Returns the numbers; waits for the device.
    BatchLoss read() const;
    static constexpr int kNumbers = 4;
    /// Returns [kNumbers] in double, where they were computed.
    at::Tensor numbers() const;
    /// Returns what read() does, of the numbers that were read.
    BatchLoss from(const double* numbers) const;
};

/// What batchLoss() does, before its numbers are read. Everything is computed on the device of the
/// parameters.
PendingLoss pendingLoss(const models::Parameters& parameters, const Architecture& architecture,
                        const Recipe::Loss& recipe, const Batch& batch, bool dropout, bool backward,
                        const PassOptions& options = {});

} // namespace headroom::training
