// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/attention/attention_context.h"
#include "models/attention/attention_plan.h"
#include "models/attention/multi_head.h"

namespace headroom::models {

/// Keys and values that a block keeps between calls: those of the tokens fed so far, or of the encoder's
/// output. [batch, head, token, headWidth]
struct KeyValueCache {
    at::Tensor keys, values;
    /// Row r becomes the row `rows[r]`, int64 [row]; nothing happens before the first call.
    void select(const at::Tensor& rows);
};

/// The self-attention block of any layer, x + MHA(LN x) or LN(x + MHA x), [batch, token, width].
/// - `scope`: the layer, with self_attn_layer_norm and the tensors of attentionShapes().
/// - `observe`: may be empty; then nothing outlives the step.
/// - While the context has a replacement, the block is this output (with its LayerNorm if post-norm), and x,
///   plan and maps are not looked at.
/// - With a `cache`, x are the tokens after those fed before; heads are then masked.
/// - Order: scores → masks → softmax (or smoothed focus) → suppression → [raw] → relaxation → [applied] →
///   dropout → V.
at::Tensor selfAttentionBlock(const Scope& scope, const at::Tensor& x, const AttentionPlan& plan,
                              AttentionContext& context, const AttentionObserver& observe = {},
                              const Dropout& dropout = {}, KeyValueCache* cache = nullptr);

/// The cross-attention block: queries from x [batch, target, width], keys and values from `memory` [batch,
/// token, memoryWidth]; encoder_attn_layer_norm and encoder_attn.{q,k,v,out}_proj. `context` has the lengths
/// of the memory. With a `cache`, the memory is projected once. A replacement is as in selfAttentionBlock.
at::Tensor crossAttentionBlock(const Scope& scope, const at::Tensor& x, const at::Tensor& memory,
                               const AttentionPlan& plan, AttentionContext& context,
                               const AttentionObserver& observe = {}, const Dropout& dropout = {},
                               KeyValueCache* cache = nullptr);

} // namespace headroom::models
