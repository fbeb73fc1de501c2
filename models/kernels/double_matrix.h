// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>

namespace at {
class Tensor;
}

namespace headroom::models {

/// A matrix W [out, in] in double, laid out once for products x Wᵀ inside of pieces (pieces.h): each runs on the thread that
/// calls it. Reading is safe on every thread.
class DoubleMatrix {
public:
    static constexpr std::int64_t kSide = 8; ///< outputs that lie side by side, in one panel

    /// `weight` [out, in] of float or double on the CPU, any strides.
    explicit DoubleMatrix(const at::Tensor& weight);

    std::int64_t out() const { return m_out; }
    std::int64_t in() const { return m_in; }

    /// y = x Wᵀ + bias for `rows` rows that begin at multiples of the strides; `bias` [out] or null. x and y must not overlap.
    void multiply(const double* x, std::int64_t xStride, std::int64_t rows, double* y, std::int64_t yStride,
                  const double* bias = nullptr) const;

private:
    std::int64_t m_out, m_in;
    std::unique_ptr<double[]> m_values; // [panel, in, kSide], the end of the last panel filled with 0
};

/// Makes each row t − mean(t), times `scale` [width], in its place.
void centreAndScaleRows(double* rows, std::int64_t count, std::int64_t width, const double* scale);

} // namespace headroom::models
