// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

/// The launchers of banded_cuda.cu and banded_tiles_cuda.cu: banded_kernels.h on a GPU. Plain pointers into one device's memory; no
/// torch header, so that nvcc compiles in seconds. Results are the same bits every time. Throws
/// std::runtime_error if a kernel cannot be started.
namespace headroom::models::device {

struct Bfloat16;

/// [batch, head, token, width] with a contiguous last dimension; strides in numbers.
template <class T>
struct BandRows {
    T* data;
    std::int64_t batch, head, token;
};

/// What the kernels of one call share.
struct BandShape {
    std::int64_t batches, heads, tokens, reach;
    const std::int64_t* lengths; ///< tokens per recording, on the device; null: all
};

/// T: float, double or Bfloat16; S, of bands: T itself, float for Bfloat16. Bands are contiguous.
/// band = a_i · b_j; `empty` where no key is.
template <class T, class S>
void launchBandProducts(const BandShape& shape, BandRows<const T> a, BandRows<const T> b, std::int64_t width,
                        S empty, S* band, void* stream);

/// out_i = Σ_s band_is rows_{i − reach + s} over the slots with a key; transposed: out_j = Σ_i band_{i, j − i
/// + reach} rows_i, zeros if j is not a key.
template <class T, class S>
void launchBandTimesRows(const BandShape& shape, const S* band, BandRows<const T> rows, std::int64_t width,
                         bool transposed, BandRows<T> out, void* stream);

/// softmax(scale · band) of `rows` rows in place; a row without a finite number becomes zeros.
template <class S>
void launchBandSoftmax(S* band, std::int64_t rows, std::int64_t slots, S scale, void* stream);

/// grad = scale · w_s (g_s − Σ_t w_t g_t), in place.
template <class S>
void launchBandSoftmaxBackward(const S* weights, S* grad, std::int64_t rows, std::int64_t slots, S scale,
                               void* stream);

/// The widest values that launchBandAttention takes, and for Bfloat16 the widest queries and keys. Of those, a number that is not
/// finite reaches rows up to 110 tokens away.
constexpr std::int64_t kWidestValues = 128;

/// softmax(scale · q kᵀ) v in the band, in one pass over tiles of keys. Stores the weights if `weights` is
/// not null.
template <class T, class S>
void launchBandAttention(const BandShape& shape, BandRows<const T> q, BandRows<const T> k,
                         BandRows<const T> v, std::int64_t width, std::int64_t valueWidth, S scale,
                         S* weights, BandRows<T> out, void* stream);

template <>
void launchBandAttention<Bfloat16, float>(const BandShape& shape, BandRows<const Bfloat16> q, BandRows<const Bfloat16> k,
                                          BandRows<const Bfloat16> v, std::int64_t width, std::int64_t valueWidth, float scale,
                                          float* weights, BandRows<Bfloat16> out, void* stream);
template <>
void launchBandTimesRows<Bfloat16, float>(const BandShape& shape, const float* band, BandRows<const Bfloat16> rows,
                                          std::int64_t width, bool transposed, BandRows<Bfloat16> out, void* stream);

/// Three steps of the backward pass in one: band = scale w (∂w − Σ w ∂w) with ∂w = gradOut_i · v_j, and gradQ = band · k. Widths up to
/// kWidestValues.
void launchBandScoreGradients(const BandShape& shape, BandRows<const Bfloat16> k, BandRows<const Bfloat16> v,
                              BandRows<const Bfloat16> gradOut, std::int64_t width, std::int64_t valueWidth, float scale,
                              const float* weights, float* band, BandRows<Bfloat16> gradQ, void* stream);

} // namespace headroom::models::device
