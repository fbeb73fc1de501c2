// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/layers/parameters.h"

#include <cstdint>
#include <vector>

namespace headroom::models {

/// What a batch adds to the running statistics once enough of them were seen (Shim et al. 2022, Table 4).
inline constexpr double kBatchNormMomentum = 0.005;
/// The buffer that counts batches while a model is trained; not part of a model folder.
inline constexpr const char* kBatchesSeen = "batches_seen";

/// BatchNorm of `x` [batch, channel, frame, …] over everything but channels, ε 1e-5. `scope` holds weight,
/// bias, running_mean and running_var [channel].
///
/// While training: by the mean and variance of the batch's valid frames alone (`lengths` of each recording;
/// empty: all valid), and the running ones move towards them: as the plain mean of the first 1 / momentum
/// batches, so that the 0 and 1 from which they start do not count, and by the momentum from then on. Frames
/// beyond a recording's own are then zeros. Else: by the running statistics, frame for frame, whatever stands
/// beside it.
at::Tensor batchNorm(const Scope& scope, const at::Tensor& x, const std::vector<std::int64_t>& lengths,
                     bool training);

} // namespace headroom::models
