// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/convolution_module.h"

#include "models/layers/basic.h"
#include "models/layers/batch_norm.h"
#include "models/layers/padding.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/conv1d.h>
#include <ATen/ops/glu.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/silu.h>

namespace headroom::models {
namespace {

/// A convolution of kernel 1 over the last dimension; weight [out, in, 1].
at::Tensor pointwise(const Scope& scope, const at::Tensor& x) {
    return at::linear(x, scope["weight"].squeeze(2), scope.has("bias") ? scope["bias"] : at::Tensor());
}

} // namespace

at::Tensor convolutionModule(const Scope& scope, const Architecture::Convolution& shape, const at::Tensor& x,
                             const std::vector<std::int64_t>& lengths, const Dropout& dropout) {
    at::Tensor y = pointwise(scope / "pointwise_conv1", layerNorm(scope / "layer_norm", x));
    y = at::glu(y, -1).transpose(1, 2).contiguous(); // [batch, width, token]
    zeroBeyond(y, lengths);
    y = at::conv1d(y, (scope / "depthwise_conv")["weight"], {}, {1}, {shape.kernel / 2}, {1},
                   y.size(1)); // [batch, width, token]
    if (shape.norm == ConvolutionNorm::Batch)
        y = batchNorm(scope / "batch_norm", y, lengths, dropout.training);
    y = y.transpose(1, 2); // [batch, token, width]
    if (shape.norm != ConvolutionNorm::Batch)
        y = layerNorm(scope / "norm", y);
    return dropped(pointwise(scope / "pointwise_conv2", at::silu(y)), dropout.hidden);
}

} // namespace headroom::models
