// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/subsampler.h"

#include "models/layers/basic.h"
#include "models/layers/batch_norm.h"
#include "models/layers/padding.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/conv1d.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/glu.h>

namespace headroom::models {

std::int64_t convolvedLength(std::int64_t length, const SubsamplerShape& shape, std::size_t convolution) {
    const std::int64_t room = length + 2 * shape.padding(convolution) - shape.kernels[convolution];
    return room < 0 ? 0 : room / shape.strides[convolution] + 1;
}

std::int64_t subsampledLength(const SubsamplerShape& shape, std::int64_t frames) {
    if (shape.kind == FrontEndKind::Patches)
        return shape.computedTokens(frames);
    frames = shape.input().window().value_or(frames);
    for (std::size_t i = 0; i < shape.kernels.size(); ++i)
        frames = convolvedLength(frames, shape, i);
    return frames;
}

namespace {

at::Tensor depthwiseSubsample(const Scope& scope, const SubsamplerShape& shape, const at::Tensor& features,
                              std::vector<std::int64_t> lengths) {
    at::Tensor x = features.unsqueeze(1).clone(); // [batch, 1, frame, feature]
    for (std::size_t i = 0; i < shape.kernels.size(); ++i) {
        const int kernel = shape.kernels[i], stride = shape.strides[i], index = static_cast<int>(i);
        const Scope convolution = scope / "conv_layers" / index;
        zeroBeyond(x, lengths);
        x = at::conv2d(x, convolution["weight"], convolution["bias"], {stride, stride},
                       {kernel / 2, kernel / 2}, {1, 1},
                       i == 0 ? 1 : x.size(1)); // [batch, plane, frame / stride, feature / stride]
        for (std::int64_t& length : lengths)
            length = convolvedLength(length, shape, i);
        if (i > 0) {
            const Scope pointwise = scope / "pointwise" / index;
            x = at::conv2d(x, pointwise["weight"], pointwise["bias"]);
        }
        x = x.relu();
    }
    zeroBeyond(x, lengths);
    return linear(scope / "projection", x.transpose(1, 2).flatten(2)); // [batch, token, width]
}

} // namespace

at::Tensor linearFrontEnd(const Scope& scope, const at::Tensor& features,
                          const std::vector<std::int64_t>& frames, double epsilon) {
    at::Tensor x =
        linear(scope / "projection", layerNorm(scope / "projection_norm", features, epsilon)).transpose(1, 2);
    zeroBeyond(x, frames);
    return x.transpose(1, 2).contiguous(); // [batch, token, width]
}

at::Tensor subsample(const Scope& scope, const SubsamplerShape& shape, const at::Tensor& features,
                     const std::vector<std::int64_t>& frames, Padding padding, const Dropout& dropout) {
    if (shape.kind == FrontEndKind::Depthwise2d)
        return depthwiseSubsample(scope, shape, features, frames);
    const bool flat = shape.kind == FrontEndKind::Conv1d;
    // A copy in either case: what the caller holds is not written to.
    at::Tensor x =
        flat ? features.transpose(1, 2).clone(at::MemoryFormat::Contiguous) // [batch, feature, frame]
             : features.unsqueeze(1).clone();                               // [batch, 1, frame, feature]
    std::vector<std::int64_t> lengths = frames;
    for (std::size_t i = 0; i < shape.kernels.size(); ++i) {
        const int stride = shape.strides[i], index = static_cast<int>(i);
        if (padding == Padding::Safe)
            zeroBeyond(x, lengths);
        const Scope convolution = scope / "conv_layers" / index;
        const at::Tensor &weight = convolution["weight"], &bias = convolution["bias"];
        const int around = shape.padding(i);
        x = flat ? at::conv1d(x, weight, bias, {stride}, {around})
                 : at::conv2d(x, weight, bias, {stride, stride}, {around, around});
        for (std::int64_t& length : lengths)
            length = convolvedLength(length, shape, i);
        if (shape.norm == FrontEndNorm::Batch)
            x = batchNorm(scope / "norms" / index, x, lengths, dropout.training, dropout.statistics);
        // [batch, channel, frame / stride] or [batch, plane, frame / stride, feature / stride]
        x = shape.activation == FrontEndActivation::Glu ? at::glu(x, 1)
                                                        : activated(std::move(x), activationOf(shape.activation));
    }
    x = x.transpose(1, 2);                                                     // [batch, token, …]
    return flat ? x.contiguous() : linear(scope / "projection", x.flatten(2)); // [batch, token, width]
}

} // namespace headroom::models
