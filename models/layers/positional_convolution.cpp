// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/positional_convolution.h"

#include "models/layers/basic.h"
#include "models/layers/batch_norm.h"
#include "models/layers/padding.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/conv1d.h>
#include <ATen/ops/layer_norm.h>

#include <utility>

namespace headroom::models {
namespace {

/// g v / ‖v‖, one norm for each place of the kernel, over input and output channels.
at::Tensor weightOf(const Scope& convolution, bool weightNorm) {
    if (!weightNorm)
        return convolution["weight"];
    const at::Tensor& v = convolution["weight_v"];
    return v.mul(convolution["weight_g"].div(v.square().sum(at::IntArrayRef({0, 1}), true).sqrt()));
}

} // namespace

at::Tensor convolvedPositions(const Scope& scope, const Architecture::PositionalConvolution& shape,
                              const at::Tensor& x, const std::vector<std::int64_t>& lengths, const Dropout& dropout) {
    constexpr double kEpsilon = 1e-5;
    at::Tensor y = x.transpose(1, 2).contiguous(); // [batch, width, token]
    const std::int64_t tokens = y.size(2);
    if (shape.norm == PositionalNorm::Batch)
        y = batchNorm(scope / "batch_norm", y, lengths, dropout.training, dropout.statistics);
    for (int layer = 0; layer < shape.layers; ++layer) {
        zeroBeyond(y, lengths);
        const Scope convolution = scope / layer;
        y = at::conv1d(y, weightOf(convolution, shape.weightNorm), convolution["bias"], {1},
                       {shape.kernel / 2}, {1}, shape.groups)
                .narrow(2, 0, tokens); // an even kernel gives one more
        if (shape.norm == PositionalNorm::Layer)
            y = at::layer_norm(y.transpose(1, 2), {y.size(1)}, {}, {}, kEpsilon).transpose(1, 2);
        y = activated(y.contiguous(), shape.activation);
    }
    return y.transpose(1, 2);
}

} // namespace headroom::models
