// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace at {
class Tensor;
}

/// The device kernels behind banded.cpp, which validates and differentiates. Bands are contiguous [batch,
/// head, query, 2 · reach + 1]; rows are [batch, head, token, width] of one size and type with a contiguous
/// last dimension. `lengths`: one per recording, or null.
namespace headroom::models {

/// a_i · b_j in the band; slots without a key are `empty`.
void bandProducts(const at::Tensor& a, const at::Tensor& b, std::int64_t reach, const std::int64_t* lengths,
                  double empty, at::Tensor& band);

/// out_i = Σ_s band_is rows_{i − reach + s} over the slots with a key.
void bandTimesRows(const at::Tensor& band, const at::Tensor& rows, std::int64_t reach,
                   const std::int64_t* lengths, at::Tensor& out);

/// The transposed band: out_j = Σ_i band_{i, j − i + reach} rows_i; zeros if j is not a key.
void transposedBandTimesRows(const at::Tensor& band, const at::Tensor& rows, std::int64_t reach,
                             const std::int64_t* lengths, at::Tensor& out);

/// softmax(scale · products) over the last dimension, in place; a row without a finite number becomes zeros.
void bandSoftmax(at::Tensor& band, double scale);

/// Gradient at the products from that at the weights: scale · w_s (g_s − Σ_t w_t g_t), overwriting `grad`.
void bandSoftmaxBackward(const at::Tensor& weights, double scale, at::Tensor& grad);

struct BandInputs {
    const at::Tensor &q, &k, &v;
    std::int64_t reach;
    double scale; ///< above 0
    const std::int64_t* lengths;
};
/// softmax(scale · q kᵀ) v; stores the band of weights if `weights` is not null.
void bandAttention(const BandInputs& inputs, at::Tensor* weights, at::Tensor& out);

struct BandGradients {
    at::Tensor &q, &k, &v;
};
/// The backward pass from `gradOut` and the weights; `band` is scratch for the gradient at the products.
void bandAttentionBackward(const BandInputs& inputs, const at::Tensor& weights, const at::Tensor& gradOut,
                           at::Tensor& band, BandGradients& grads);

} // namespace headroom::models
