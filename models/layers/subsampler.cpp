// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/subsampler.h"

#include "models/attention/full.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/conv1d.h>
#include <ATen/ops/glu.h>

namespace headroom::models {
namespace {

std::int64_t outputLength(std::int64_t length, int kernel, int stride) {
    return (length + 2 * (kernel / 2) - kernel) / stride + 1;
}

/// Zeros beyond each length along the last dimension of x [batch, channel, frame].
void zeroBeyond(at::Tensor& x, const std::vector<std::int64_t>& lengths) {
    if (x.requires_grad()) { // one mask: autograd would copy all of x for every slice that is written to
        const at::Tensor beyond = hiddenPadding(lengths, x.size(2)); // [batch, 1, 1, frame]
        if (beyond.defined())
            x = x.masked_fill(beyond.squeeze(1), 0);
        return;
    }
    for (std::size_t item = 0; item < lengths.size(); ++item) {
        const std::int64_t padded = x.size(2) - lengths[item];
        if (padded > 0)
            x.select(0, static_cast<std::int64_t>(item)).narrow(1, lengths[item], padded).zero_();
    }
}

} // namespace

std::int64_t subsampledLength(const SubsamplerShape& shape, std::int64_t frames) {
    for (std::size_t i = 0; i < shape.kernels.size(); ++i)
        frames = outputLength(frames, shape.kernels[i], shape.strides[i]);
    return frames;
}

at::Tensor subsample(const Scope& scope, const SubsamplerShape& shape, const at::Tensor& features,
                     const std::vector<std::int64_t>& frames, Padding padding) {
    at::Tensor x = features.transpose(1, 2).contiguous(); // [batch, feature, frame]
    std::vector<std::int64_t> lengths = frames;
    for (std::size_t i = 0; i < shape.kernels.size(); ++i) {
        if (padding == Padding::Safe)
            zeroBeyond(x, lengths);
        const Scope convolution = scope / "conv_layers" / static_cast<int>(i);
        x = at::conv1d(x, convolution["weight"], convolution["bias"], {shape.strides[i]},
                       {shape.kernels[i] / 2});
        x = at::glu(x, 1); // [batch, channel / 2, frame / stride]
        for (std::int64_t& length : lengths)
            length = outputLength(length, shape.kernels[i], shape.strides[i]);
    }
    return x.transpose(1, 2).contiguous(); // [batch, token, width]
}

} // namespace headroom::models
