// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/positional_convolution.h"

#include "models/kernels/packed_matrix.h"
#include "models/kernels/pieces.h"
#include "models/layers/autocast.h"
#include "models/layers/basic.h"
#include "models/layers/batch_norm.h"
#include "models/layers/padding.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/conv1d.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/layer_norm.h>

#include <algorithm>
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

/// One whole recording in inference, on the CPU.
bool runsInRows(const Architecture::PositionalConvolution& shape, const at::Tensor& x, const std::vector<std::int64_t>& lengths) {
    return infersOnCpu(x) && x.size(0) == 1 && (lengths.empty() || lengths.front() == x.size(1)) &&
           shape.norm != PositionalNorm::Batch;
}

/// [token, width] → [token, width]. With the channels of a group side by side, all that a token reads of it lies in one piece:
/// the convolution is a product with rows that overlap, and nothing is unfolded.
at::Tensor convolvedRows(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, std::int64_t kernel) {
    const std::int64_t tokens = x.size(0), width = x.size(1), channels = weight.size(1), taps = kernel * channels;
    const at::Tensor byTap = weight.permute({0, 2, 1}).contiguous(); // [out, tap, in]
    at::Tensor y = at::empty_like(x);
    onThreads(width / channels, 1, [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> padded(static_cast<std::size_t>((tokens + kernel) * channels));
        for (std::int64_t group = begin; group < end; ++group) {
            const std::int64_t first = group * channels;
            const float* from = x.const_data_ptr<float>() + first;
            for (std::int64_t token = 0; token < tokens; ++token)
                std::copy_n(from + token * width, channels, padded.data() + (kernel / 2 + token) * channels);
            PackedMatrix packed(channels, taps);
            packed.set(0, channels, byTap.const_data_ptr<float>() + first * taps, taps, 1);
            multiply(packed, {padded.data(), channels, tokens, y.mutable_data_ptr<float>() + first, width,
                              bias.const_data_ptr<float>() + first});
        }
    });
    return y;
}

} // namespace

at::Tensor convolvedPositions(const Scope& scope, const Architecture::PositionalConvolution& shape,
                              const at::Tensor& x, const std::vector<std::int64_t>& lengths, const Dropout& dropout) {
    constexpr double kEpsilon = 1e-5;
    if (runsInRows(shape, x, lengths)) {
        at::Tensor rows = x.squeeze(0).contiguous(); // [token, width]
        for (int layer = 0; layer < shape.layers; ++layer) {
            const Scope convolution = scope / layer;
            rows = convolvedRows(rows, weightOf(convolution, shape.weightNorm), convolution["bias"].contiguous(), shape.kernel);
            if (shape.norm == PositionalNorm::Layer)
                rows = at::layer_norm(rows, {rows.size(1)}, {}, {}, kEpsilon);
            rows = activated(std::move(rows), shape.activation);
        }
        return rows.unsqueeze(0);
    }
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
