// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "models/attention/multi_head.h"
#include "models/layers/subsampler.h"
#include "models/networks/encoder_times.h"

#include <functional>
#include <vector>

namespace headroom::models {

/// The front end's convolutions as the subsampler takes them.
SubsamplerShape subsamplerShape(const Architecture& architecture);

/// The encoder on a batch, padding-safe by default.
///
/// `features` [batch, frame, feature] after CMVN, zero beyond each of `frames`. Returns [batch, token, width]
/// after the final LayerNorm; rows beyond a recording's own tokens mean nothing. `beforeLayer(l)` (from 1) is
/// called before each layer and returns what observes it, or nothing; it may throw to stop. `afterLayer(l,
/// x)` sees what layer l passes on, and as layer 0 what layer 1 reads. `times`: a clock runs beside the pass.
using LayerObservers = std::function<AttentionObserver(int layer)>;
using StateObserver = std::function<void(int layer, const at::Tensor& x)>; // [batch, token, width]
at::Tensor encodeBatch(const Parameters& parameters, const Architecture& architecture,
                       const at::Tensor& features, const std::vector<std::int64_t>& frames,
                       Padding padding = Padding::Safe, const LayerObservers& beforeLayer = {},
                       const Dropout& dropout = {}, const StateObserver& afterLayer = {},
                       EncoderTimes* times = nullptr);

} // namespace headroom::models
