// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/matrix.h"

#include <memory>
#include <vector>

namespace headroom {

/// A matrix and its halvings by maximum, for drawing: a diagonal one token wide survives at every zoom.
///
/// Level 0 is the matrix. Each further level has the maximum of each 2 × 2 cells of the previous one (an odd
/// last row or column is kept alone), down to 1 × 1. The maximum ignores NaN unless all four cells are NaN.
/// Memory: 4/3 of the matrix. Immutable after construction; safe on every thread.
class MaxPyramid {
public:
    MaxPyramid() = default;
    explicit MaxPyramid(Matrix<float> matrix);

    bool empty() const { return m_levels.empty(); }
    std::size_t rows() const { return m_levels.empty() ? 0 : m_levels.front().rows(); }
    std::size_t columns() const { return m_levels.empty() ? 0 : m_levels.front().columns(); }
    std::size_t levelCount() const { return m_levels.size(); }
    const Matrix<float>& level(std::size_t index) const { return m_levels[index]; }

    /// Returns the maximum over rows [row, row + height) and columns [column, column + width), clipped to the
    /// matrix; NaN if empty. Exact, and O(perimeter) because coarse levels are read inside.
    float maximum(std::size_t row, std::size_t column, std::size_t height, std::size_t width) const;

private:
    std::vector<Matrix<float>> m_levels;
};

} // namespace headroom
