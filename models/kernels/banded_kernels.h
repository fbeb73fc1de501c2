// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace at {
class Tensor;
}

/// What banded.cpp, which checks and differentiates, asks of a device: forward and backward of every
/// operation are these. Bands are contiguous [batch, head, query, 2 · reach + 1]; rows are [batch, head,
/// token, width] of one size and type with a contiguous last dimension. `lengths`: one per recording, or
/// null.
namespace headroom::models {

/// a_i · b_j in the band; slots without a key hold `empty`.
void bandProducts(const at::Tensor& a, const at::Tensor& b, std::int64_t reach, const std::int64_t* lengths,
                  double empty, at::Tensor& band);

/// out_i = Σ_s band_is rows_{i − reach + s} over the slots with a key.
void bandTimesRows(const at::Tensor& band, const at::Tensor& rows, std::int64_t reach,
                   const std::int64_t* lengths, at::Tensor& out);

/// The transposed band: out_j = Σ_i band_{i, j − i + reach} rows_i; zeros where j is no key.
void transposedBandTimesRows(const at::Tensor& band, const at::Tensor& rows, std::int64_t reach,
                             const std::int64_t* lengths, at::Tensor& out);

/// softmax(scale · products) over the last dimension, in place; a row without a finite number becomes zeros.
void bandSoftmax(at::Tensor& band, double scale);

/// From the gradient at the weights to the one at the products: scale · w_s (g_s − Σ_t w_t g_t), written over
/// `grad`.
void bandSoftmaxBackward(const at::Tensor& weights, double scale, at::Tensor& grad);

struct BandInputs {
    const at::Tensor &q, &k, &v;
    std::int64_t reach;
    double scale; ///< above 0
    const std::int64_t* lengths;
};
/// softmax(scale · q kᵀ) v; `weights`, a band, is kept where it is not null.
void bandAttention(const BandInputs& inputs, at::Tensor* weights, at::Tensor& out);

struct BandGradients {
    at::Tensor &q, &k, &v;
};
/// The way back from `gradOut` and the weights; `band` is room for the gradient at the products.
void bandAttentionBackward(const BandInputs& inputs, const at::Tensor& weights, const at::Tensor& gradOut,
                           at::Tensor& band, BandGradients& grads);

} // namespace headroom::models
