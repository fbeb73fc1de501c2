// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled with -O3 -fopenmp -fno-math-errno (models/CMakeLists.txt).
#include "models/kernels/packed_matrix.h"

#include "models/kernels/packed_tile.h"

#include <ATen/Parallel.h>

namespace headroom::models {
namespace {

constexpr std::int64_t kLine = 64 / sizeof(float); ///< numbers of a cache line
constexpr std::int64_t kWorthAThread = 250'000;    ///< multiplications; waking a thread costs some of them

HEADROOM_VECTOR_CLONES void multiplyPanels(const PackedMatrix& w, const RowProduct& p, std::int64_t first,
                                           std::int64_t last) {
    packed::panels(w, p, first, last);
}

} // namespace

PackedMatrix::PackedMatrix(std::int64_t out, std::int64_t in)
    : m_out(out)
    , m_in(in)
    , m_values(std::make_unique_for_overwrite<float[]>(static_cast<std::size_t>(panels() * in * kSide + kLine))) {
    const auto past = reinterpret_cast<std::uintptr_t>(m_values.get()) / sizeof(float) % kLine;
    m_begin = m_values.get() + (kLine - static_cast<std::int64_t>(past)) % kLine;
    if (out % kSide != 0)
        std::fill_n(m_begin + (panels() - 1) * in * kSide, in * kSide, 0.0F);
}

void PackedMatrix::set(std::int64_t first, std::int64_t count, const float* from, std::int64_t outStride,
                       std::int64_t inStride) {
    const std::int64_t begin = first / kSide, end = (first + count + kSide - 1) / kSide;
    at::parallel_for(begin, end, kWorthAThread / (m_in * kSide + 1) + 1, [&](std::int64_t a, std::int64_t b) {
        for (std::int64_t number = a; number < b; ++number) {
            const std::int64_t low = std::max(first, number * kSide),
                               high = std::min(first + count, (number + 1) * kSide);
            float* panel = m_begin + number * m_in * kSide;
            const auto copy = [&](std::int64_t o, std::int64_t i) {
                panel[i * kSide + o - number * kSide] = from[(o - first) * outStride + i * inStride];
            };
            if (outStride == 1 && high - low == kSide) {
                for (std::int64_t i = 0; i < m_in; ++i)
                    std::memcpy(panel + i * kSide, from + (low - first) + i * inStride, kSide * sizeof(float));
                continue;
            }
            // Squares, of which both sides stay in the nearest cache.
            for (std::int64_t begun = 0; begun < m_in; begun += kLine)
                for (std::int64_t o = low; o < high; ++o)
                    for (std::int64_t i = begun; i < std::min(begun + kLine, m_in); ++i)
                        copy(o, i);
        }
    });
}

void multiply(const PackedMatrix& w, const RowProduct& product) {
    const std::int64_t cost = w.in() * PackedMatrix::kSide * product.rows;
    at::parallel_for(0, w.panels(), kWorthAThread / (cost + 1) + 1, [&](std::int64_t begin, std::int64_t end) {
        multiplyPanels(w, product, begin, end);
    });
}

} // namespace headroom::models
