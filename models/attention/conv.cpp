// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/attention/conv.h"

#include "models/layers/device.h"
#include "models/layers/padding.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/addcmul.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/conv1d.h>
#include <ATen/ops/glu.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mv.h>

#include <algorithm>
#include <array>

namespace headroom::models {
namespace {

std::vector<std::int64_t> compressedLengths(const Shortening& shortening) {
    std::vector<std::int64_t> result;
    for (const std::int64_t length : shortening.lengths)
        result.push_back(compressedLength(shortening.group, length));
    return result;
}

/// What the longest recording has, where `tokens` is the padded length.
std::int64_t longest(const Shortening& shortening, std::int64_t tokens) {
    const std::vector<std::int64_t> lengths = compressedLengths(shortening);
    return lengths.empty() ? compressedLength(shortening.group, tokens)
                           : *std::max_element(lengths.begin(), lengths.end());
}

bool zeroes(const Shortening& shortening) {
    return shortening.padding.defined() && !shortening.readsPadding;
}

} // namespace

bool isSpeechformer(const HeadGroup& group) {
    return group.convForm == ConvForm::Speechformer;
}

int convPadding(const HeadGroup& group) {
    return isSpeechformer(group) ? group.convKernel / 2 : group.convStride / 2;
}

std::int64_t compressedLength(const HeadGroup& group, std::int64_t tokens) {
    const std::int64_t room = tokens + 2 * convPadding(group) - group.convKernel;
    return room < 0 ? 1 : room / group.convStride + 1;
}

at::Tensor compressed(const Scope& convolution, const at::Tensor& x, const Shortening& shortening) {
    const HeadGroup& group = shortening.group;
    const std::int64_t keys = longest(shortening, x.size(2)), padding = convPadding(group);
    const std::int64_t read = (keys - 1) * group.convStride + group.convKernel; // from the padding on
    at::Tensor rows = zeroes(shortening) ? x.masked_fill(shortening.padding.transpose(2, 3), 0) : x;
    rows = at::constant_pad_nd(rows, {0, 0, padding, std::max<std::int64_t>(read - padding - x.size(2), 0)});
    const auto tap = [&](std::int64_t t) { // [batch, head, compressedKey, headWidth]
        return rows.slice(2, t, t + (keys - 1) * group.convStride + 1, group.convStride);
    };
    if (group.convForm == ConvForm::Normal) {
        std::vector<at::Tensor> taps;
        for (int t = 0; t < group.convKernel; ++t)
            taps.push_back(tap(t));
        const at::Tensor weight = convolution["weight"].permute({2, 1, 0}).flatten(0, 1); // [tap · in, out]
        return at::matmul(at::cat(taps, 3), weight).add(convolution["bias"]);
    }
    // Tap by tap in the heads' own layout: a library's convolution would turn channels to the front and back.
    const Scope depthwise = group.convForm == ConvForm::Separable ? convolution / 0 : convolution;
    const at::Tensor weight = depthwise["weight"].squeeze(1).t(); // [tap, headWidth]
    at::Tensor shorter = at::addcmul(depthwise["bias"], tap(0), weight[0]);
    for (int t = 1; t < group.convKernel; ++t)
        shorter = at::addcmul(shorter, tap(t), weight[t]);
    if (group.convForm != ConvForm::Separable)
        return shorter;
    return at::linear(shorter, (convolution / 1)["weight"].squeeze(2), (convolution / 1)["bias"]);
}

at::Tensor compressedInput(const Scope& convolution, const at::Tensor& x, const Shortening& shortening) {
    const HeadGroup& group = shortening.group;
    at::Tensor rows = x.transpose(1, 2); // [batch, width, token]
    if (zeroes(shortening))
        rows = rows.masked_fill(shortening.padding.squeeze(1), 0);
    const std::int64_t padding = convPadding(group);
    const std::int64_t missing = std::max<std::int64_t>(group.convKernel - 2 * padding - x.size(1),
                                                        0); // a recording shorter than that
    if (missing)
        rows = at::constant_pad_nd(rows, {0, missing});
    rows = at::glu(at::conv1d(rows, convolution["weight"], convolution["bias"],
                              std::array<std::int64_t, 1>{group.convStride}, std::array{padding}),
                   1);
    return rows.narrow(2, 0, longest(shortening, x.size(1))).transpose(1, 2);
}

at::Tensor hiddenCompressed(const Shortening& shortening) {
    const std::vector<std::int64_t> lengths = compressedLengths(shortening);
    if (lengths.empty())
        return {};
    const at::Tensor hidden = hiddenPadding(lengths, *std::max_element(lengths.begin(), lengths.end()));
    return hidden.defined() ? sent(hidden, shortening.padding.device()) : hidden;
}

ConvolutionTaps convolutionTaps(const Scope& convolution, const HeadGroup& group) {
    if (group.convForm == ConvForm::Normal)
        return {convolution["weight"].permute({2, 0, 1}).contiguous(), convolution["bias"]};
    if (group.convForm != ConvForm::Separable)
        return {convolution["weight"].squeeze(1).t().contiguous(), convolution["bias"]};
    const at::Tensor depthwise = (convolution / 0)["weight"].squeeze(1).t(); // [tap, in]
    const at::Tensor mixing = (convolution / 1)["weight"].squeeze(2);        // [out, in]
    return {mixing.unsqueeze(0).mul(depthwise.unsqueeze(1)),
            at::mv(mixing, (convolution / 0)["bias"]).add((convolution / 1)["bias"])};
}

} // namespace headroom::models
