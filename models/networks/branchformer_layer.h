// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "models/attention/attention_block.h"

namespace headroom::models {

/// One Branchformer layer (Peng et al. 2022, Fig. 1; Kim et al. 2022, Fig. 2): half a feed-forward, self-attention and
/// gated MLP (gating_module.h) side by side, each with LayerNorm before it, their merge with a residual, half a
/// feed-forward, a final LayerNorm. The feed-forwards are left out where `encoder.feedForward` is 0.
///
/// The attention is observed as a block with its residual, x + MHA(LN x), as that of a conformer; what the layer merges
/// is the attention alone. `x` [batch, token, width]; `scope` is the layer: ffn1_layer_norm, ffn1,
/// self_attn_layer_norm, self_attn, gated_layer_norm, gated, merge, ffn2_layer_norm, ffn2, final_layer_norm. Requires
/// `encoder.branch`.
at::Tensor branchformerLayer(const Scope& scope, const at::Tensor& x, const Architecture::Encoder& encoder,
                             const AttentionPlan& plan, AttentionContext& context,
                             const AttentionObserver& observe = {}, const Dropout& dropout = {});

} // namespace headroom::models
