// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/kernels/banded_composite.h"

#include "models/kernels/sent.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/tensor.h>

#include <limits>

namespace headroom::models::composite {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The rows that each query sees, zeros beyond both ends: [batch, head, query, width, slot].
at::Tensor windowsOf(const at::Tensor& rows, std::int64_t reach) {
    return at::constant_pad_nd(rows, {0, 0, reach, reach}).unfold(2, 2 * reach + 1, 1);
}

/// Slots without a key, bool [batch or 1, 1, query, slot].
at::Tensor emptySlots(const at::Tensor& q, std::int64_t reach, const std::vector<std::int64_t>& lengths) {
    const std::int64_t tokens = q.size(2);
    const auto numbers = q.options().dtype(at::kLong).requires_grad(false);
    const at::Tensor key =
        at::arange(tokens, numbers).unsqueeze(1).add(at::arange(-reach, reach + 1, numbers)); // [query, slot]
    const at::Tensor ends =
        sent(at::tensor(lengths.empty() ? std::vector{tokens} : lengths, at::kLong), q.device()).view({-1, 1, 1, 1});
    return key.lt(0).logical_or(key.ge(ends));
}

} // namespace

at::Tensor bandedScores(const at::Tensor& q, const at::Tensor& k, std::int64_t reach,
                        const std::vector<std::int64_t>& lengths) {
    return at::matmul(q.unsqueeze(3), windowsOf(k, reach))
        .squeeze(3)
        .masked_fill(emptySlots(q, reach, lengths), -kInfinity);
}

at::Tensor bandedSoftmax(const at::Tensor& scores) {
    const at::Tensor keyless = scores.detach().eq(-kInfinity).all(-1, true); // a softmax of these would be NaN
    return at::softmax(scores.masked_fill(keyless, 0), -1).masked_fill(keyless, 0);
}

at::Tensor bandedMix(const at::Tensor& weights, const at::Tensor& v, std::int64_t reach) {
    return at::matmul(weights.unsqueeze(3), windowsOf(v, reach).transpose(3, 4)).squeeze(3);
}

at::Tensor bandedAttention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, std::int64_t reach,
                           double scale, const std::vector<std::int64_t>& lengths) {
    return bandedMix(bandedSoftmax(bandedScores(q, k, reach, lengths).mul(scale)), v, reach);
}

} // namespace headroom::models::composite
