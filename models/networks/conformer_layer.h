// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "models/attention/attention_block.h"

namespace headroom::models {

/// Half a feed-forward with LayerNorm before it and a residual, x + FFN(LN x) / 2; `layer` has NAME_layer_norm and NAME.
at::Tensor halfFeedForward(const Scope& layer, const char* name, const at::Tensor& x, Activation activation,
                           const Dropout& dropout, double epsilon);

/// One conformer layer (Gulati et al. 2020, §2.3; Shim et al. 2022, §2): half a feed-forward, self-attention,
/// convolution module, half a feed-forward, each with LayerNorm before and a residual, then a final
/// LayerNorm. `x` [batch, token, width]; `scope` is the layer: ffn1_layer_norm, ffn1, self_attn_layer_norm,
/// self_attn, conv_module, ffn2_layer_norm, ffn2, final_layer_norm. Requires `encoder.convolution`.
at::Tensor conformerLayer(const Scope& scope, const at::Tensor& x, const Architecture::Encoder& encoder,
                          const AttentionPlan& plan, AttentionContext& context,
                          const AttentionObserver& observe = {}, const Dropout& dropout = {});

} // namespace headroom::models
