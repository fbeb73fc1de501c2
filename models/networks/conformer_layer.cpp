// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/conformer_layer.h"

#include "models/layers/basic.h"
#include "models/layers/convolution_module.h"

#include <ATen/core/Tensor.h>

namespace headroom::models {

at::Tensor halfFeedForward(const Scope& layer, const char* name, const at::Tensor& x, Activation activation,
                           const Dropout& dropout, double epsilon) {
    const at::Tensor normed = layerNorm(layer / (std::string(name) + "_layer_norm"), x, epsilon);
    return addResidual(feedForward(layer / name, normed, dropout, activation).mul(0.5), x);
}

at::Tensor conformerLayer(const Scope& scope, const at::Tensor& x, const Architecture::Encoder& encoder,
                          const AttentionPlan& plan, AttentionContext& context,
                          const AttentionObserver& observe, const Dropout& dropout) {
    const Activation activation = encoder.activation;
    at::Tensor y = halfFeedForward(scope, "ffn1", x, activation, dropout, plan.normEpsilon);
    y = selfAttentionBlock(scope, y, plan, context, observe, dropout); // [batch, token, width]
    y = addResidual(convolutionModule(scope / "conv_module", *encoder.convolution, y, context.lengths(),
                                      dropout, plan.normEpsilon),
                    y);
    y = halfFeedForward(scope, "ffn2", y, activation, dropout, plan.normEpsilon);
    return layerNorm(scope / "final_layer_norm", y, plan.normEpsilon);
}

} // namespace headroom::models
