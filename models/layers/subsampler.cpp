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
    frames = shape.input().window().value_or(frames);
    for (std::size_t i = 0; i < shape.kernels.size(); ++i)
        frames = convolvedLength(frames, shape, i);
    return frames;
}

at::Tensor subsample(const Scope& scope, const SubsamplerShape& shape, const at::Tensor& features,
                     const std::vector<std::int64_t>& frames, Padding padding, bool training) {
    const bool flat = shape.kind == FrontEndKind::Conv1d;
    // A copy in either case: what the caller holds is not written to.
    at::Tensor x =
        flat ? features.transpose(1, 2).clone(at::MemoryFormat::Contiguous) // [batch, feature, frame]
             : features.unsqueeze(1).clone();                               // [batch, 1, frame, feature]
    std::vector<std::int64_t> lengths = frames;
    for (std::size_t i = 0; i < shape.kernels.size(); ++i) {
        const int kernel = shape.kernels[i], stride = shape.strides[i], index = static_cast<int>(i);
        if (padding == Padding::Safe)
            zeroBeyond(x, lengths);
        const Scope convolution = scope / "conv_layers" / index;
        const at::Tensor &weight = convolution["weight"], &bias = convolution["bias"];
        x = flat ? at::conv1d(x, weight, bias, {stride}, {kernel / 2})
                 : at::conv2d(x, weight, bias, {stride, stride}, {kernel / 2, kernel / 2});
        for (std::int64_t& length : lengths)
            length = convolvedLength(length, shape, i);
        if (shape.norm == FrontEndNorm::Batch)
            x = batchNorm(scope / "norms" / index, x, lengths, training);
        // [batch, channel, frame / stride] or [batch, plane, frame / stride, feature / stride]
        x = shape.activation == FrontEndActivation::Glu ? at::glu(x, 1)
                                                        : activated(std::move(x), activationOf(shape.activation));
    }
    x = x.transpose(1, 2);                                                     // [batch, token, …]
    return flat ? x.contiguous() : linear(scope / "projection", x.flatten(2)); // [batch, token, width]
}

} // namespace headroom::models
