// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/attention/conv.h"

#include "models/attention/full.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/conv1d.h>
#include <ATen/ops/glu.h>
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

at::Tensor strided(const at::Tensor& x, const Scope& convolution, std::int64_t stride, std::int64_t padding,
                   std::int64_t sets) {
    constexpr std::array<std::int64_t, 1> kDense{1};
    return at::conv1d(x, convolution["weight"], convolution["bias"], std::array{stride}, std::array{padding},
                      kDense, sets);
}

bool zeroes(const Shortening& shortening) {
    return shortening.padding.defined() && !shortening.readsPadding;
}

} // namespace

bool isSpeechformer(const HeadGroup& group) {
    return group.convForm == "speechformer";
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
    const std::int64_t batch = x.size(0), heads = x.size(1), tokens = x.size(2), channels = x.size(3);
    at::Tensor rows = x;
    if (zeroes(shortening))
        rows = rows.masked_fill(shortening.padding.transpose(2, 3), 0);
    rows = rows.transpose(2, 3).reshape({batch * heads, channels, tokens});
    // Until the kernel fits, and then until its last place is the last token's.
    const std::int64_t over = std::max<std::int64_t>(tokens - group.convKernel, 0) % group.convStride;
    const std::int64_t missing =
        std::max<std::int64_t>(group.convKernel - tokens, 0) + (over ? group.convStride - over : 0);
    const int padding = convPadding(group);
    rows = at::constant_pad_nd(rows, {padding, padding + missing});

    const bool separable = group.convForm == "separable";
    const Scope first = separable ? convolution / 0 : convolution;
    const std::int64_t sets = group.convForm == "normal" ? 1 : channels;
    rows = strided(rows, first, group.convStride, 0, sets);
    if (separable)
        rows = at::conv1d(rows, (convolution / 1)["weight"], (convolution / 1)["bias"]);
    return rows.view({batch, heads, channels, rows.size(2)})
        .narrow(3, 0, longest(shortening, tokens))
        .transpose(2, 3);
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
    rows = at::glu(strided(rows, convolution, group.convStride, padding, 1), 1);
    return rows.narrow(2, 0, longest(shortening, x.size(1))).transpose(1, 2);
}

at::Tensor hiddenCompressed(const Shortening& shortening) {
    const std::vector<std::int64_t> lengths = compressedLengths(shortening);
    return lengths.empty() ? at::Tensor()
                           : hiddenPadding(lengths, *std::max_element(lengths.begin(), lengths.end()));
}

ConvolutionTaps convolutionTaps(const Scope& convolution, const HeadGroup& group) {
    if (group.convForm == "normal")
        return {convolution["weight"].permute({2, 0, 1}).contiguous(), convolution["bias"]};
    if (group.convForm != "separable")
        return {convolution["weight"].squeeze(1).t().contiguous(), convolution["bias"]};
    const at::Tensor depthwise = (convolution / 0)["weight"].squeeze(1).t(); // [tap, in]
    const at::Tensor mixing = (convolution / 1)["weight"].squeeze(2);        // [out, in]
    return {mixing.unsqueeze(0).mul(depthwise.unsqueeze(1)),
            at::mv(mixing, (convolution / 0)["bias"]).add((convolution / 1)["bias"])};
}

} // namespace headroom::models
