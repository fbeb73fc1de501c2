// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled with -O3 -fopenmp -fno-math-errno (models/CMakeLists.txt).
#include "models/kernels/double_matrix.h"

#include "models/kernels/vector_clones.h"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace headroom::models {
namespace {

constexpr std::int64_t kDoubleLanes = 4, kSide = DoubleMatrix::kSide;
constexpr int kTileOfRows = 6; ///< that share a load of the matrix: 6 · 2 sums fit 16 registers
typedef double Four __attribute__((vector_size(kDoubleLanes * sizeof(double))));

struct DoubleProduct {
    const double* x;
    std::int64_t xStride;
    double* y;
    std::int64_t yStride, in;
    const double* panel; // [in, kSide]
    const double* bias;  // of the panel; null: none
    std::int64_t side;   // outputs of the panel
};

template <int kRows>
HEADROOM_INLINE void doubleTile(const DoubleProduct& p, std::int64_t row) {
    Four low[kRows], high[kRows];
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) // one by one: arrays as a whole would be cleared in memory
        low[r] = high[r] = Four{};
    const double* x = p.x + row * p.xStride;
    const double* panel = p.panel;
    for (std::int64_t i = 0; i < p.in; ++i, ++x, panel += kSide) {
        Four w, v;
        std::memcpy(&w, panel, sizeof w);
        std::memcpy(&v, panel + kDoubleLanes, sizeof v);
#pragma GCC unroll 8
        for (int r = 0; r < kRows; ++r) {
            const double each = x[r * p.xStride];
            low[r] += each * w;
            high[r] += each * v;
        }
    }
    const bool whole = p.side == kSide;
    if (p.bias && whole) {
        Four w, v;
        std::memcpy(&w, p.bias, sizeof w);
        std::memcpy(&v, p.bias + kDoubleLanes, sizeof v);
#pragma GCC unroll 8
        for (int r = 0; r < kRows; ++r) {
            low[r] += w;
            high[r] += v;
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
        if (whole) {
            std::memcpy(p.y + (row + r) * p.yStride, &low[r], sizeof low[r]);
            std::memcpy(p.y + (row + r) * p.yStride + kDoubleLanes, &high[r], sizeof high[r]);
            continue;
        }
        double lanes[kSide];
        std::memcpy(lanes, &low[r], sizeof low[r]);
        std::memcpy(lanes + kDoubleLanes, &high[r], sizeof high[r]);
        double* y = p.y + (row + r) * p.yStride;
        if (p.bias)
            for (std::int64_t o = 0; o < p.side; ++o)
                y[o] = lanes[o] + p.bias[o];
        else
            std::copy_n(lanes, p.side, y);
    }
}

HEADROOM_VECTOR_CLONES void doubleRows(const DoubleProduct& p, std::int64_t rows) {
    std::int64_t row = 0;
    for (; row + kTileOfRows <= rows; row += kTileOfRows)
        doubleTile<kTileOfRows>(p, row);
    switch (rows - row) {
    case 5:
        return doubleTile<5>(p, row);
    case 4:
        return doubleTile<4>(p, row);
    case 3:
        return doubleTile<3>(p, row);
    case 2:
        return doubleTile<2>(p, row);
    case 1:
        return doubleTile<1>(p, row);
    default:
        return;
    }
}

HEADROOM_VECTOR_CLONES void centreRows(double* rows, std::int64_t count, std::int64_t width, const double* scale) {
    for (std::int64_t row = 0; row < count; ++row, rows += width) {
        double sum = 0;
#pragma omp simd reduction(+ : sum)
        for (std::int64_t d = 0; d < width; ++d)
            sum += rows[d];
        const double mean = sum / static_cast<double>(width);
#pragma GCC ivdep
        for (std::int64_t d = 0; d < width; ++d)
            rows[d] = (rows[d] - mean) * scale[d];
    }
}

/// One panel: `side` rows of W side by side.
template <class T>
void packPanel(const T* from, std::int64_t outStride, std::int64_t inStride, std::int64_t in, std::int64_t side, double* to) {
    if (side < kSide)
        std::fill_n(to, in * kSide, 0.0);
    const auto copy = [&](auto outputs) {
        for (std::int64_t i = 0; i < in; ++i)
#pragma GCC unroll 8
            for (std::int64_t o = 0; o < outputs; ++o)
                to[i * kSide + o] = static_cast<double>(from[o * outStride + i * inStride]);
    };
    if (side == kSide)
        copy(std::integral_constant<std::int64_t, kSide>());
    else
        copy(side);
}

} // namespace

DoubleMatrix::DoubleMatrix(const at::Tensor& weight)
    : m_out(weight.size(0))
    , m_in(weight.size(1)) {
    const std::int64_t panels = (m_out + kSide - 1) / kSide;
    m_values = std::make_unique_for_overwrite<double[]>(static_cast<std::size_t>(panels * m_in * kSide));
    for (std::int64_t panel = 0; panel < panels; ++panel) {
        const auto pack = [&](const auto* values) {
            packPanel(values + panel * kSide * weight.stride(0), weight.stride(0), weight.stride(1), m_in,
                      std::min(kSide, m_out - panel * kSide), m_values.get() + panel * m_in * kSide);
        };
        if (weight.scalar_type() == at::kDouble)
            pack(weight.const_data_ptr<double>());
        else
            pack(weight.const_data_ptr<float>());
    }
}

void DoubleMatrix::multiply(const double* x, std::int64_t xStride, std::int64_t rows, double* y, std::int64_t yStride,
                            const double* bias) const {
    for (std::int64_t first = 0; first < m_out; first += kSide)
        doubleRows({x, xStride, y + first, yStride, m_in, m_values.get() + first * m_in, bias ? bias + first : nullptr,
                    std::min(kSide, m_out - first)},
                   rows);
}

void centreAndScaleRows(double* rows, std::int64_t count, std::int64_t width, const double* scale) {
    centreRows(rows, count, width, scale);
}

} // namespace headroom::models
