// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/attention/attention_map.h"
#include "models/attention/rest_of_layer.h"
#include "models/layers/dropout.h"
#include "models/layers/parameters.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace headroom::models {

/// The result of one group of heads, in head order. Maps may be those of the first queries only
/// (AttentionContext::Options::mappedQueries).
struct GroupStep {
    HeadGroup kind;       ///< of a reusing layer: its own text, one step per group of the reused layer
    int firstHead = 0;    ///< from 0 in its layer
    AttentionMap raw;     ///< before relaxation; the same tensor if nothing was relaxed
    AttentionMap applied; ///< as multiplied by the values
    /// v before compression; for Speechformer's heads, of the compressed keys // [batch, head, token,
    /// valueWidth]
    at::Tensor values;
    /// Compressed maps only: v′_m = Σ_t taps_t v_{stride·m + t − padding} + bias, nothing beyond the ends.
    at::Tensor valueTaps; // [tap, valueWidth, valueWidth], or [tap, valueWidth] where depthwise
    at::Tensor valueBias; // [valueWidth]
    int stride = 1, padding = 0;
};

/// The tensors of one attention block as applied, borrowed for the length of a call.
struct AttentionStep {
    const at::Tensor& input;  ///< x, before the block's LayerNorm // [batch, token, width]
    const at::Tensor& output; ///< x + attention, before a post-norm LayerNorm // [batch, token, width]
    std::vector<GroupStep> groups; ///< every group of the layer, in head order; never empty
    RestOfLayer rest = {};         ///< of a layer; empty for a block alone
};
using AttentionObserver = std::function<void(const AttentionStep&)>;

/// [batch, token, width] → [batch, head, token, width / heads], a view.
at::Tensor splitHeads(const at::Tensor& x, std::int64_t heads);
/// The inverse of splitHeads, contiguous.
at::Tensor joinHeads(const at::Tensor& x);

/// A = softmax(q kᵀ / √headWidth) without the `hidden` keys; `queries` are unscaled.
at::Tensor attentionMap(const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& hidden);

} // namespace headroom::models
