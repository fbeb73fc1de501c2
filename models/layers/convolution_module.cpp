// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/convolution_module.h"

#include "models/layers/basic.h"
#include "models/layers/batch_norm.h"
#include "models/layers/padding.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/conv1d.h>
#include <ATen/ops/glu.h>
#include <ATen/ops/linear.h>

namespace headroom::models {
namespace {

/// A convolution of kernel 1 over the last dimension; weight [out, in, 1].
at::Tensor pointwise(const Scope& scope, const at::Tensor& x) {
    return at::linear(x, scope["weight"].squeeze(2), scope.has("bias") ? scope["bias"] : at::Tensor());
}

} // namespace

at::Tensor convolutionModule(const Scope& scope, const Architecture::Convolution& shape, const at::Tensor& x,
                             const std::vector<std::int64_t>& lengths, const Dropout& dropout,
                             double epsilon) {
    at::Tensor y = pointwise(scope / "pointwise_conv1", layerNorm(scope / "layer_norm", x, epsilon));
    y = at::glu(y, -1).transpose(1, 2).contiguous(); // [batch, width, token]
    zeroBeyond(y, lengths);
    const Scope depthwise = scope / "depthwise_conv";
    const int before = shape.causal ? shape.kernel - 1 : shape.kernel / 2;
    const at::Tensor bias = depthwise.has("bias") ? depthwise["bias"] : at::Tensor();
    const std::int64_t tokens = y.size(2);
    // A causal convolution is padded on both sides, and what follows the last token is cut.
    y = at::conv1d(y, depthwise["weight"], bias, {1}, {before}, {1}, y.size(1)).narrow(2, 0, tokens);
    // [batch, width, token]
    if (shape.norm == ConvolutionNorm::Batch)
        y = batchNorm(scope / "batch_norm", y, lengths, dropout.training, dropout.statistics);
    y = y.transpose(1, 2); // [batch, token, width]
    if (shape.norm != ConvolutionNorm::Batch)
        y = layerNorm(scope / "norm", y, epsilon);
    return dropped(pointwise(scope / "pointwise_conv2", activated(y, shape.activation)), dropout.hidden);
}

} // namespace headroom::models
