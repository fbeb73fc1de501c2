// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/attention/attention_map.h"
#include "models/layers/dropout.h"
#include "models/layers/parameters.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace headroom::models {

/// What one group of heads did, in head order.
struct GroupStep {
    HeadGroup kind;
    int firstHead = 0;    ///< from 0 in its layer
    AttentionMap raw;     ///< before relaxation; the same tensor where nothing was relaxed
    AttentionMap applied; ///< as multiplied with the values
    at::Tensor values;    ///< v before any compression // [batch, head, token, valueWidth]
    /// Compressed maps only: v′_m = Σ_t taps_t v_{stride·m + t − padding} + bias, nothing beyond the ends.
    at::Tensor valueTaps; // [tap, valueWidth, valueWidth], or [tap, valueWidth] where depthwise
    at::Tensor valueBias; // [valueWidth]
    int stride = 1, padding = 0;
};

/// The tensors of one self-attention block as they were applied, borrowed for the length of a call.
struct AttentionStep {
    const at::Tensor& input; ///< x, the block's input before its LayerNorm   // [batch, token, width]
    const at::Tensor&
        values; ///< v = LN(x) W_V + b_V                         // [batch, head, token, headWidth]
    const at::Tensor& attention; ///< A, rows sum to 1 over the visible keys      // [batch, head, query, key]
    const at::Tensor& output;    ///< x + attention block, the captured output    // [batch, token, width]
    std::vector<GroupStep> groups = {}; ///< every group of the layer, whatever its kind
};
using AttentionObserver = std::function<void(const AttentionStep&)>;

/// [batch, token, width] → [batch, head, token, width / heads], a view.
at::Tensor splitHeads(const at::Tensor& x, std::int64_t heads);
/// The way back, contiguous.
at::Tensor joinHeads(const at::Tensor& x);

/// A = softmax(q kᵀ / √headWidth) without the `hidden` keys; `queries` are not scaled yet.
at::Tensor attentionMap(const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& hidden);

/// The pre-norm self-attention block of a layer: x + W_O [A^h v^h]_h + b_O. `scope` is the layer: it holds
/// self_attn_layer_norm and self_attn.{q,k,v,out}_proj. `hidden`: bool, broadcastable to [batch, head, query,
/// key], or undefined. `observe` may be empty; then nothing outlives the step.
at::Tensor selfAttentionBlock(const Scope& scope, const at::Tensor& x, std::int64_t heads,
                              const at::Tensor& hidden, const AttentionObserver& observe,
                              const Dropout& dropout = {});

} // namespace headroom::models
