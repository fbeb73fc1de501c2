// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/kernels/packed_matrix.h"
#include "models/kernels/vector_clones.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

/// The inner loop of products with a PackedMatrix, inlined into the clones of the files that include it.
namespace headroom::models::packed {

constexpr std::int64_t kSide = PackedMatrix::kSide;
constexpr int kTileRows = 6;                ///< that share a load of the matrix: 6 sums fit the registers of every clone
constexpr std::int64_t kInputsAtOnce = 256; ///< 16 kB of a panel, which stay in the nearest cache for all rows

/// Some inputs of a panel, and where they begin and end.
struct Inputs {
    const float* panel;
    std::int64_t first, count, side; ///< side: outputs of the panel
    bool begins, ends;
};

/// Sixteen numbers as two vectors: a clone with narrower registers keeps sums in them only if no vector is wider.
struct Pair {
    typedef float Half __attribute__((vector_size(kSide / 2 * sizeof(float))));
    Half low, high;
};
HEADROOM_INLINE Pair loadPair(const float* from, std::int64_t count) {
    float lanes[kSide] = {};
    if (count < kSide) {
        std::copy_n(from, count, lanes);
        from = lanes;
    }
    Pair pair;
    std::memcpy(&pair.low, from, sizeof pair.low);
    std::memcpy(&pair.high, from + kSide / 2, sizeof pair.high);
    return pair;
}
HEADROOM_INLINE void storePair(const Pair& pair, float* to, std::int64_t count) {
    if (count >= kSide) {
        std::memcpy(to, &pair.low, sizeof pair.low);
        std::memcpy(to + kSide / 2, &pair.high, sizeof pair.high);
        return;
    }
    float lanes[kSide];
    std::memcpy(lanes, &pair.low, sizeof pair.low);
    std::memcpy(lanes + kSide / 2, &pair.high, sizeof pair.high);
    std::copy_n(lanes, count, to);
}

/// The sums with which a row of a tile begins.
HEADROOM_INLINE Pair beginning(const RowProduct& p, std::int64_t at, std::int64_t output, const Inputs& inputs) {
    if (!inputs.begins)
        return loadPair(p.y + at, inputs.side);
    Pair sum{};
    if (p.bias)
        sum = loadPair(p.bias + output, inputs.side);
    if (p.added) {
        const Pair more = loadPair(p.added + at, inputs.side);
        sum = {sum.low + more.low, sum.high + more.high};
    }
    return sum;
}

/// tile(first row, how many as a constant) for tiles of kTileRows and a smaller one.
template <class Tile>
HEADROOM_INLINE void inTiles(std::int64_t rows, const Tile& tile) {
    std::int64_t row = 0;
    for (; row + kTileRows <= rows; row += kTileRows)
        tile(row, std::integral_constant<int, kTileRows>());
    switch (rows - row) {
    case 5:
        return tile(row, std::integral_constant<int, 5>());
    case 4:
        return tile(row, std::integral_constant<int, 4>());
    case 3:
        return tile(row, std::integral_constant<int, 3>());
    case 2:
        return tile(row, std::integral_constant<int, 2>());
    case 1:
        return tile(row, std::integral_constant<int, 1>());
    default:
        return;
    }
}

template <int kRows>
HEADROOM_INLINE void tile(const RowProduct& p, std::int64_t row, std::int64_t output, const Inputs& inputs) {
    Pair::Half low[kRows], high[kRows];
    for (int r = 0; r < kRows; ++r) {
        const Pair sum = beginning(p, (row + r) * p.yStride + output, output, inputs);
        low[r] = sum.low;
        high[r] = sum.high;
    }
    const float* x = p.x + row * p.xStride + inputs.first;
    const float* panel = inputs.panel + inputs.first * kSide;
    for (std::int64_t i = 0; i < inputs.count; ++i, ++x, panel += kSide) {
        Pair::Half w, v;
        std::memcpy(&w, panel, sizeof w);
        std::memcpy(&v, panel + kSide / 2, sizeof v);
#pragma GCC unroll 8
        for (int r = 0; r < kRows; ++r) {
            const float each = x[r * p.xStride];
            low[r] += each * w;
            high[r] += each * v;
        }
    }
    for (int r = 0; r < kRows; ++r) {
        Pair sum{low[r], high[r]};
        if (inputs.ends && p.relu)
            sum = {sum.low > 0.0F ? sum.low : Pair::Half{}, sum.high > 0.0F ? sum.high : Pair::Half{}};
        storePair(sum, p.y + (row + r) * p.yStride + output, inputs.side);
    }
}

/// The outputs of the panels first … last − 1.
HEADROOM_INLINE void panels(const PackedMatrix& w, const RowProduct& p, std::int64_t first, std::int64_t last) {
    for (std::int64_t number = first; number < last; ++number) {
        const std::int64_t output = number * kSide;
        Inputs inputs{w.panel(number), 0, 0, std::min(kSide, w.out() - output), true, false};
        do {
            inputs.count = std::min(kInputsAtOnce, w.in() - inputs.first);
            inputs.ends = inputs.first + inputs.count == w.in();
            inTiles(
                p.rows, [&](std::int64_t row, auto rows) __attribute__((always_inline)) {
                    tile<rows()>(p, row, output, inputs);
                });
            inputs.first += inputs.count;
            inputs.begins = false;
        } while (inputs.first < w.in());
    }
}

} // namespace headroom::models::packed
