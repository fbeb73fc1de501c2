// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/encoder_layer.h"

#include "models/layers/basic.h"

#include <ATen/core/Tensor.h>

namespace headroom::models {

at::Tensor encoderLayer(const Scope& scope, const at::Tensor& x, std::int64_t heads, const at::Tensor& hidden,
                        const AttentionObserver& observe) {
    const at::Tensor attended = selfAttentionBlock(scope, x, heads, hidden, observe); // [batch, token, width]
    return feedForward(scope, layerNorm(scope / "final_layer_norm", attended)).add_(attended);
}

} // namespace headroom::models
