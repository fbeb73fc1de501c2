// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>

namespace headroom::models {

/// A matrix W [out, in] in float, laid out once for many products x Wᵀ with few rows x, as a decoder has them that is
/// fed one token at a time. Reading is safe on every thread.
class PackedMatrix {
public:
    static constexpr std::int64_t kSide = 16; ///< outputs that lie side by side, in one panel
    PackedMatrix() = default;
    /// Its numbers are to be set.
    PackedMatrix(std::int64_t out, std::int64_t in);
    PackedMatrix(PackedMatrix&&) noexcept = default;
    PackedMatrix& operator=(PackedMatrix&&) noexcept = default;

    /// Sets the outputs first … first + count − 1: W(first + o, i) = from[o · outStride + i · inStride]. On the
    /// threads of at::parallel_for, where there is much to do.
    void set(std::int64_t first, std::int64_t count, const float* from, std::int64_t outStride,
             std::int64_t inStride);

    std::int64_t out() const { return m_out; }
    std::int64_t in() const { return m_in; }
    std::int64_t panels() const { return (m_out + kSide - 1) / kSide; }
    const float* panel(std::int64_t number) const { return m_begin + number * m_in * kSide; } ///< [in, kSide]

private:
    std::int64_t m_out = 0, m_in = 0;
    std::unique_ptr<float[]> m_values; ///< [panel, in, kSide] from m_begin on, the end of the last panel filled with 0
    float* m_begin = nullptr;          ///< on the border of a cache line
};

/// A product y = x Wᵀ and what is added to it. Rows begin at multiples of their strides.
struct RowProduct {
    const float* x;
    std::int64_t xStride, rows;
    float* y;
    std::int64_t yStride;
    const float* bias = nullptr;  ///< [out]; null: none
    const float* added = nullptr; ///< rows that are added, with the stride of y; may be y; null: none
    bool relu = false;            ///< max(y, 0) at the end
};

/// Computes the product on the threads of at::parallel_for. The numbers of a row are the same bits whatever the other
/// rows, their count and the number of threads are. x and y must not overlap.
void multiply(const PackedMatrix& w, const RowProduct& product);

} // namespace headroom::models
