// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/encoder_layer.h"

#include <ATen/core/Tensor.h>

namespace headroom::models {

at::Tensor encoderLayer(const Scope& scope, const at::Tensor& x, const AttentionPlan& plan,
                        AttentionContext& context, Activation activation, const AttentionObserver& observe,
                        const Dropout& dropout) {
    const at::Tensor attended =
        selfAttentionBlock(scope, x, plan, context, observe, dropout); // [batch, token, width]
    const at::Tensor output =
        feedForwardBlock(scope, attended, plan.postNorm, activation, dropout, plan.normEpsilon);
    const Scope adapter = scope / "adapter";
    return adapter.has("linear_1.weight") ? adapterBlock(adapter, output) : output;
}

} // namespace headroom::models
