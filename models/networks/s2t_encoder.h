// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "models/attention/multi_head.h"
#include "models/layers/subsampler.h"
#include "models/networks/encoder_times.h"

#include <functional>
#include <vector>

namespace headroom::models {

struct LayerFactors;

/// The convolutions of the front end, for the subsampler.
SubsamplerShape subsamplerShape(const Architecture& architecture);

/// The encoder on a batch, padding-safe by default.
///
/// `features` [batch, frame, feature] after CMVN, zero beyond each of `frames`. Returns [batch, token, width]
/// after the final LayerNorm; rows beyond a recording's own tokens are undefined. `beforeLayer(l)` (from 1)
/// is called before each layer and returns its observer, or an empty one; it may throw to stop. A pass with
/// `beforeLayer` keeps the maps of all its layers explicit, whichever it observes, so that its numbers do not depend
/// on the choice; without it, they may differ by rounding (models/attention/README.md).
/// `afterLayer(l, x)` receives the output of layer l, and the input of layer 1 as layer 0. `times`: measures
/// the pass. `factors`: of its layers, in training; null: each counts whole. `readTokens`: the first tokens, which alone
/// are read of the result, as those of a recording in a fixed window; 0: all. Observers see maps of their queries only
/// (AttentionContext::Options::mappedQueries), and the last layer may leave the other rows out.
using LayerObservers = std::function<AttentionObserver(int layer)>;
using StateObserver = std::function<void(int layer, const at::Tensor& x)>; // [batch, token, width]
at::Tensor encodeBatch(const Parameters& parameters, const Architecture& architecture,
                       const at::Tensor& features, const std::vector<std::int64_t>& frames,
                       Padding padding = Padding::Safe, const LayerObservers& beforeLayer = {},
                       const Dropout& dropout = {}, const StateObserver& afterLayer = {},
                       EncoderTimes* times = nullptr, const LayerFactors* factors = nullptr,
                       std::int64_t readTokens = 0);

} // namespace headroom::models
