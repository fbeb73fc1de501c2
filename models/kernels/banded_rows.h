// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/kernels/banded_vectors.h"

#include <algorithm>

namespace headroom::models::banded {

constexpr int kSums = 3; ///< output rows that share a load of an input row

/// A band, or its transpose, seen from an output row i: step t = 0 … 2 · reach is input row i − reach + t.
template <class T>
struct Band {
    const T* data; ///< weight of the first output row at its step 0
    std::int64_t rowStride, stepStride;
    /// Row `first` of the band: slot t is step t.
    static Band plain(const T* row, std::int64_t reach) { return {row, 2 * reach + 1, 1}; }
    /// Output row `first` of the transposed band: the weight of input row i is its slot first − i + reach.
    static Band transposed(const T* band, std::int64_t first, std::int64_t reach) {
        return {band + (first - reach) * (2 * reach + 1) + 2 * reach, 2 * reach + 1, 2 * reach};
    }
};
// Output row one further sees the same input row one step earlier: at a fixed input row its weight lies
// rowStride − stepStride further.

/// kCount · sizeof(V) bytes of each of kRows output rows.
template <class T, class V, int kCount, int kRows>
HEADROOM_INLINE void columns(const Band<T>& band, const T* from, std::int64_t fromStride, std::int64_t reach,
                             std::int64_t begin, std::int64_t end, T* to, std::int64_t toStride) {
    constexpr int kWidth = sizeof(V) / sizeof(T);
    const std::int64_t across = band.rowStride - band.stepStride;
    V sums[kRows][kCount] = {};
    // Steps are those of the first row; row a sees them from a to a + 2 · reach.
    const std::int64_t full = std::max(begin, std::min<std::int64_t>(kRows - 1, end)),
                       past = std::max(full, std::min(end, 2 * reach + 1));
    const auto some = [&](std::int64_t t) __attribute__((always_inline)) {
#pragma GCC unroll 4
        for (int a = 0; a < kRows; ++a)
            if (t >= a && t <= a + 2 * reach) {
                const T weight = band.data[t * band.stepStride + a * across];
#pragma GCC unroll 4
                for (int c = 0; c < kCount; ++c) {
                    V x;
                    load(x, from + t * fromStride + c * kWidth);
                    sums[a][c] += weight * x;
                }
            }
    };
    for (std::int64_t t = begin; t < full; ++t)
        some(t);
    for (std::int64_t t = full; t < past; ++t) {
        V x[kCount];
#pragma GCC unroll 4
        for (int c = 0; c < kCount; ++c)
            load(x[c], from + t * fromStride + c * kWidth);
        const T* weight = band.data + t * band.stepStride;
#pragma GCC unroll 4
        for (int a = 0; a < kRows; ++a)
#pragma GCC unroll 4
            for (int c = 0; c < kCount; ++c)
                sums[a][c] += weight[a * across] * x[c];
    }
    for (std::int64_t t = past; t < end; ++t)
        some(t);
#pragma GCC unroll 4
    for (int a = 0; a < kRows; ++a)
#pragma GCC unroll 4
        for (int c = 0; c < kCount; ++c)
            store(sums[a][c], to + a * toStride + c * kWidth);
}

template <class T, int kRows>
HEADROOM_INLINE void wholeRows(const Band<T>& band, const T* from, std::int64_t fromStride,
                               std::int64_t reach, std::int64_t begin, std::int64_t end, std::int64_t width,
                               T* to, std::int64_t toStride) {
    constexpr int kLane = kLanes<T>;
    std::int64_t d = 0;
    for (; d + 2 * kLane <= width; d += 2 * kLane)
        columns<T, Vector<T>, 2, kRows>(band, from + d, fromStride, reach, begin, end, to + d, toStride);
    for (; d + kLane <= width; d += kLane)
        columns<T, Vector<T>, 1, kRows>(band, from + d, fromStride, reach, begin, end, to + d, toStride);
    for (; d + 4 <= width; d += 4)
        columns<T, Vector<T, 4>, 1, kRows>(band, from + d, fromStride, reach, begin, end, to + d, toStride);
    for (; d < width; ++d)
        columns<T, T, 1, kRows>(band, from + d, fromStride, reach, begin, end, to + d, toStride);
}

/// Output rows [first, last): to_i = Σ_t weight(i, t) from_{i − reach + t} over the input rows before
/// `inputs`. `band` is that of output row `first`.
template <class T>
HEADROOM_INLINE void bandRows(Band<T> band, const Rows<const T>& from, std::int64_t first, std::int64_t last,
                              std::int64_t reach, std::int64_t inputs, std::int64_t width,
                              const Rows<T>& to) {
    for (std::int64_t i = first; i < last;) {
        const int rows = last - i >= kSums ? kSums : 1;
        const std::int64_t start = i - reach, begin = std::max<std::int64_t>(0, -start),
                           end = std::max(begin, std::min(2 * reach + rows, inputs - start));
        if (rows == kSums)
            wholeRows<T, kSums>(band, from.data + start * from.stride, from.stride, reach, begin, end, width,
                                to.row(i), to.stride);
        else
            wholeRows<T, 1>(band, from.data + start * from.stride, from.stride, reach, begin, end, width,
                            to.row(i), to.stride);
        band.data += rows * band.rowStride;
        i += rows;
    }
}

} // namespace headroom::models::banded
