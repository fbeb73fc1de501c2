// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace headroom::models {

/// The reference of banded.h: softmax(scale · q kᵀ) v in the band and its gradients, in double, one number at
/// a time, each gradient from its definition. Tensors of any floating type and any strides.
struct BandedReference {
    at::Tensor weights;      // [batch, head, query, 2 · reach + 1]
    at::Tensor out;          // [batch, head, token, valueWidth]
    at::Tensor gradQ, gradK; // [batch, head, token, headWidth]
    at::Tensor gradV;        // [batch, head, token, valueWidth]
};
/// `gradOut`, shaped like `out`: the incoming gradient.
BandedReference referenceBandedAttention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                                         std::int64_t reach, double scale,
                                         const std::vector<std::int64_t>& lengths, const at::Tensor& gradOut);

} // namespace headroom::models
