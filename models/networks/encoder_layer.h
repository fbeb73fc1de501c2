// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/attention/attention_block.h"
#include "models/layers/basic.h"

namespace headroom::models {

/// One encoder layer: self-attention, then feed-forward, each with a residual and with LayerNorm before (x +
/// block(LN x)) or after (LN(x + block x)), as the plan says; then the adapter, if the layer has one.
/// `scope` is the layer. Returns [batch, token,
/// width].
at::Tensor encoderLayer(const Scope& scope, const at::Tensor& x, const AttentionPlan& plan,
                        AttentionContext& context, Activation activation,
                        const AttentionObserver& observe = {}, const Dropout& dropout = {});

} // namespace headroom::models
