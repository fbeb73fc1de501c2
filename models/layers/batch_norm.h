// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/layers/parameters.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace headroom::models {

/// Weight of a batch in the running statistics after the first batches (Shim et al. 2022, Table 4).
inline constexpr double kBatchNormMomentum = 0.005;
/// The buffer that counts batches during training; not part of a model folder.
inline constexpr const char* kBatchesSeen = "batches_seen";

/// Joins the batches of several processes into one: each normalises by the mean and variance of all of them.
/// Must outlive the backward pass.
struct SharedStatistics {
    /// Replaces numbers, double, by their sum over the processes. Each process calls it as often and in the same order,
    /// in the forward and in the backward pass.
    std::function<void(at::Tensor&)> sum;
    /// False: the batch of this process stands in for none, takes part in the sums with zeros, and has no gradient.
    bool counts = true;
};

/// BatchNorm of `x` [batch, channel, frame, …] over everything except channels, ε 1e-5. `scope` has weight,
/// bias, running_mean and running_var [channel].
/// - In training: uses mean and variance of the batch's valid frames (`lengths` of each recording; empty: all
///   valid) and updates the running statistics: the plain mean over the first 1 / momentum batches, so that
///   the initial 0 and 1 do not count, then the momentum. Frames beyond a recording's own become zeros. With `shared`,
///   the batch is that of all processes, and the running statistics are the same in each.
/// - Otherwise: uses the running statistics, independently for each frame.
at::Tensor batchNorm(const Scope& scope, const at::Tensor& x, const std::vector<std::int64_t>& lengths,
                     bool training, const SharedStatistics* shared = nullptr);

} // namespace headroom::models
