// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/waveform.h"

#include "models/kernels/pieces.h"
#include "models/layers/autocast.h"
#include "models/layers/basic.h"
#include "models/layers/subsampler.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/conv1d.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/group_norm.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <utility>

namespace headroom::models {
namespace {

constexpr double kConvolutionEpsilon = 1e-5; // whatever the document says of the layers

/// Each channel of each recording by its own mean and variance over time; zeros behind a recording's end.
at::Tensor normedOverTime(const Scope& scope, const at::Tensor& x, const std::vector<std::int64_t>& lengths) {
    const auto normed = [&](const at::Tensor& part) {
        return at::group_norm(part, part.size(1), scope["weight"], scope["bias"], kConvolutionEpsilon, false);
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

/// A convolution over rows of channels: [out, tap · in], the taps one after the other, and the bias or undefined.
struct RowConvolution {
    at::Tensor weight, bias;
    std::int64_t kernel = 1, stride = 1, channels = 1;
};

/// What a token reads lies in one piece in rows [row, channel], `taps` rows from `first` on.
at::Tensor windowsOf(const at::Tensor& x, const RowConvolution& shape, std::int64_t tokens, std::int64_t first,
                     std::int64_t taps) {
    return x.as_strided({tokens, taps * shape.channels}, {shape.stride * shape.channels, 1},
                        x.storage_offset() + first * shape.channels);
}

/// [row, channel] → [token, out]: products over strided rows, so that nothing is unfolded. Rows of a product must not
/// overlap, so taps beyond the stride are another one.
at::Tensor convolvedRows(const at::Tensor& x, const RowConvolution& shape) {
    constexpr std::int64_t kFew = 64; // numbers that a token reads: unfolding them costs less than a second product
    const std::int64_t tokens = (x.size(0) - shape.kernel) / shape.stride + 1;
    const bool unfolds = shape.kernel * shape.channels <= kFew;
    const std::int64_t step = unfolds ? shape.kernel : std::min(shape.kernel, shape.stride);
    at::Tensor y;
    for (std::int64_t first = 0; first < shape.kernel; first += step) {
        const std::int64_t taps = std::min(step, shape.kernel - first);
        at::Tensor read = windowsOf(x, shape, tokens, first, taps);
        if (unfolds)
            read = read.contiguous();
        const at::Tensor weight = shape.weight.narrow(1, first * shape.channels, taps * shape.channels).t();
        if (y.defined())
            y.addmm_(read, weight);
        else
            y = shape.bias.defined() ? at::addmm(shape.bias, read, weight) : at::mm(read, weight);
    }
    return y;
}

/// The first convolution with the norm over time behind it as one: mean and variance of every output follow from those of
/// the samples that stand together under the kernel. In double.
void foldNormOverTime(RowConvolution& first, const Scope& norm, const at::Tensor& samples) {
    const std::int64_t tokens = (samples.size(0) - first.kernel) / first.stride + 1;
    const at::Tensor read = windowsOf(samples, first, tokens, 0, first.kernel).to(at::kDouble); // [token, tap]
    const at::Tensor mean = read.mean(0), apart = read.sub(mean);
    const at::Tensor together = at::mm(apart.t(), apart).div_(static_cast<double>(tokens)); // [tap, tap]
    const at::Tensor weight = first.weight.to(at::kDouble);
    const at::Tensor variance = at::mm(weight, together).mul_(weight).sum(1);
    const at::Tensor scale = norm["weight"].to(at::kDouble).div(variance.add_(kConvolutionEpsilon).sqrt_());
    first.weight = weight.mul(scale.unsqueeze(1)).to(at::kFloat);
    first.bias = norm["bias"].to(at::kDouble).sub(at::matmul(weight, mean).mul_(scale)).to(at::kFloat);
}

/// One whole recording in inference, on the CPU.
bool runsInPieces(const Architecture::FrontEnd& shape, const at::Tensor& samples,
                  const std::vector<std::int64_t>& lengths) {
    return infersOnCpu(samples) && lengths.size() == 1 && lengths.front() == samples.size(1) &&
           samples.size(2) == 1 && subsampledLength(shape, samples.size(1)) > 0;
}

/// The convolutions of 64 tokens at a time, on one thread each: what stands between two of them stays in the cache, threads
/// meet once, and long recordings take little memory. [sample, 1] → [token, channel]
at::Tensor convolvedInPieces(const Scope& scope, const Architecture::FrontEnd& shape, const at::Tensor& samples) {
    const std::size_t count = shape.kernels.size();
    std::vector<RowConvolution> convolutions;
    std::int64_t tokens = samples.size(0), channels = 1;
    for (std::size_t i = 0; i < count; ++i) {
        const Scope convolution = scope / "conv_layers" / static_cast<int>(i);
        const at::Tensor& weight = convolution["weight"]; // [out, in, tap]
        convolutions.push_back({weight.permute({0, 2, 1}).reshape({weight.size(0), -1}),
                                shape.bias ? convolution["bias"] : at::Tensor(), shape.kernels[i], shape.strides[i],
                                channels});
        tokens = convolvedLength(tokens, shape, i);
        channels = weight.size(0);
    }
    if (shape.norm == FrontEndNorm::Group)
        foldNormOverTime(convolutions.front(), scope / "norms" / 0, samples);
    at::Tensor result = at::empty({tokens, channels}, samples.options());
    inPieces(tokens, [&](std::int64_t first, std::int64_t own) {
        std::int64_t begin = first, end = first + own; // the rows that these tokens need
        for (std::size_t i = count; i-- > 0;) {
            begin *= shape.strides[i];
            end = (end - 1) * shape.strides[i] + shape.kernels[i];
        }
        at::Tensor x = samples.narrow(0, begin, end - begin);
        for (std::size_t i = 0; i < count; ++i) {
            x = convolvedRows(x, convolutions[i]);
            if (shape.norm == FrontEndNorm::Layer)
                x = layerNorm(scope / "norms" / static_cast<int>(i), x, kConvolutionEpsilon);
            x = activated(std::move(x), activationOf(shape.activation));
        }
        result.narrow(0, first, own).copy_(x);
    });
    return result;
}

} // namespace

at::Tensor waveformConvolutions(const Scope& scope, const Architecture::FrontEnd& shape,
                                const at::Tensor& samples, const std::vector<std::int64_t>& lengths) {
    if (runsInPieces(shape, samples, lengths))
        return convolvedInPieces(scope, shape, samples.contiguous().squeeze(0)).unsqueeze(0);
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
            x = layerNorm(scope / "norms" / index, x.transpose(1, 2), kConvolutionEpsilon).transpose(1, 2);
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
