// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/encoder_layer.h"

#include "models/layers/basic.h"

#include <ATen/core/Tensor.h>

namespace headroom::models {

at::Tensor encoderLayer(const Scope& scope, const at::Tensor& x, std::int64_t heads, const at::Tensor& hidden,
                        const AttentionObserver& observe, const Dropout& dropout) {
    const at::Tensor attended =
        selfAttentionBlock(scope, x, heads, hidden, observe, dropout); // [batch, token, width]
    return addResidual(feedForward(scope, layerNorm(scope / "final_layer_norm", attended), dropout),
                       attended);
}

} // namespace headroom::models
