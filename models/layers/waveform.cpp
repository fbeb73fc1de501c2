// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/waveform.h"

#include "models/layers/basic.h"
#include "models/layers/subsampler.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/conv1d.h>
#include <ATen/ops/group_norm.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>

namespace headroom::models {
namespace {

constexpr double kEpsilon = 1e-5; // whatever the document says of the layers

/// Each channel of each recording by its own mean and variance over time; zeros behind a recording's end.
at::Tensor normedOverTime(const Scope& scope, const at::Tensor& x, const std::vector<std::int64_t>& lengths) {
    const auto normed = [&](const at::Tensor& part) {
        return at::group_norm(part, part.size(1), scope["weight"], scope["bias"], kEpsilon, false);
    };
    const auto isWhole = [&](std::int64_t length) { return length == x.size(2); };
    if (std::all_of(lengths.begin(), lengths.end(), isWhole))
        return normed(x);
    std::vector<at::Tensor> rows;
    for (std::size_t item = 0; item < lengths.size(); ++item) {
        const at::Tensor row = x.narrow(0, static_cast<std::int64_t>(item), 1);
        const at::Tensor own = normed(row.narrow(2, 0, lengths[item]).contiguous());
        rows.push_back(isWhole(lengths[item])
                           ? own
                           : at::cat({own, at::zeros_like(row.narrow(2, 0, row.size(2) - lengths[item]))}, 2));
    }
    return at::cat(rows, 0);
}

} // namespace

at::Tensor waveformConvolutions(const Scope& scope, const Architecture::FrontEnd& shape,
                                const at::Tensor& samples, const std::vector<std::int64_t>& lengths) {
    at::Tensor x = samples.transpose(1, 2); // [batch, 1, sample]
    std::vector<std::int64_t> left = lengths;
    for (std::size_t i = 0; i < shape.kernels.size(); ++i) {
        const int index = static_cast<int>(i);
        const Scope convolution = scope / "conv_layers" / index;
        x = at::conv1d(x, convolution["weight"], shape.bias ? convolution["bias"] : at::Tensor(),
                       {shape.strides[i]});
        for (std::int64_t& length : left)
            length = convolvedLength(length, shape, i);
        if (shape.norm == FrontEndNorm::Group && i == 0)
            x = normedOverTime(scope / "norms" / index, x, left);
        else if (shape.norm == FrontEndNorm::Layer)
            x = layerNorm(scope / "norms" / index, x.transpose(1, 2), kEpsilon).transpose(1, 2);
        x = activated(std::move(x), activationOf(shape.activation)); // [batch, channel, token]
    }
    return x.transpose(1, 2);
}

at::Tensor waveformFrontEnd(const Scope& scope, const Architecture::FrontEnd& shape, const at::Tensor& samples,
                            const std::vector<std::int64_t>& lengths, double epsilon) {
    at::Tensor x = waveformConvolutions(scope, shape, samples, lengths);
    if (shape.projectionNorm)
        x = layerNorm(scope / "projection_norm", x, epsilon);
    return linear(scope / "projection", x.contiguous());
}

} // namespace headroom::models
