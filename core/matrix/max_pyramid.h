// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/matrix.h"

#include <memory>
#include <vector>

namespace headroom {

/// A matrix and its halvings by maximum, for drawing: at every zoom a one-token-wide diagonal stays whole.
///
/// Level 0 is the matrix itself; each further level holds, per 2 × 2 cells of the one before, their maximum
/// (a last odd row or column stands alone), down to 1 × 1. NaN cells are ignored by the maximum unless all
/// four are NaN. Memory: 4/3 of the matrix. Immutable after construction; safe from every thread.
class MaxPyramid {
public:
    MaxPyramid() = default;
    explicit MaxPyramid(Matrix<float> matrix);

    bool empty() const { return m_levels.empty(); }
    std::size_t rows() const { return m_levels.empty() ? 0 : m_levels.front().rows(); }
    std::size_t columns() const { return m_levels.empty() ? 0 : m_levels.front().columns(); }
    std::size_t levelCount() const { return m_levels.size(); }
    const Matrix<float>& level(std::size_t index) const { return m_levels[index]; }

    /// Maximum over rows [row, row + height) and columns [column, column + width), clipped to the matrix.
    /// Exact (not rounded outwards to the pyramid's cells), and O(perimeter) by reading coarse levels inside.
    /// NaN where empty.
    float maximum(std::size_t row, std::size_t column, std::size_t height, std::size_t width) const;

private:
    std::vector<Matrix<float>> m_levels;
};

} // namespace headroom
