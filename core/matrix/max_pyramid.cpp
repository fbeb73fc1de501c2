// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/matrix/max_pyramid.h"

#include <algorithm>
#include <limits>

namespace headroom {

namespace {

constexpr float kNothing = std::numeric_limits<float>::quiet_NaN();

/// Like std::fmax, a NaN gives way to any number; inline, because fmax is a call.
float larger(float one, float other) {
    return !(one >= other) && other == other ? other : one;
}

Matrix<float> halved(const Matrix<float>& fine) {
    Matrix<float> coarse((fine.rows() + 1) / 2, (fine.columns() + 1) / 2, kNothing);
    for (std::size_t row = 0; row < fine.rows(); ++row) {
        const auto from = fine.row(row);
        const auto into = coarse.row(row / 2);
        for (std::size_t column = 0; column < from.size(); ++column)
            into[column / 2] = larger(into[column / 2], from[column]);
    }
    return coarse;
}

float maximumOfRow(const Matrix<float>& level, std::size_t row, std::size_t begin, std::size_t end) {
    const auto values = level.row(row);
    float result = kNothing;
    for (std::size_t column = begin; column < end; ++column)
        result = larger(result, values[column]);
    return result;
}

float maximumOfColumn(const Matrix<float>& level, std::size_t column, std::size_t begin, std::size_t end) {
    float result = kNothing;
    for (std::size_t row = begin; row < end; ++row)
        result = larger(result, level(row, column));
    return result;
}

} // namespace

MaxPyramid::MaxPyramid(Matrix<float> matrix) {
    if (matrix.empty())
        return;
    m_levels.push_back(std::move(matrix));
    while (m_levels.back().rows() > 1 || m_levels.back().columns() > 1)
        m_levels.push_back(halved(m_levels.back()));
}

float MaxPyramid::maximum(std::size_t row, std::size_t column, std::size_t height, std::size_t width) const {
    if (row >= rows() || column >= columns())
        return kNothing;
    std::size_t top = row, bottom = row + std::min(height, rows() - row);
    std::size_t left = column, right = column + std::min(width, columns() - column);
    float result = kNothing;
    // On every level the rows and columns that do not fill a coarser cell are read here, the rest one level
    // up. A last odd row or column fills its coarser cell alone.
    for (const Matrix<float>& level : m_levels) {
        if (top >= bottom || left >= right)
            return result;
        if (&level == &m_levels.back())
            return larger(result, level(0, 0));
        if (top % 2 == 1)
            result = larger(result, maximumOfRow(level, top++, left, right));
        if (bottom % 2 == 1 && bottom != level.rows() && top < bottom)
            result = larger(result, maximumOfRow(level, --bottom, left, right));
        if (left % 2 == 1)
            result = larger(result, maximumOfColumn(level, left++, top, bottom));
        if (right % 2 == 1 && right != level.columns() && left < right)
            result = larger(result, maximumOfColumn(level, --right, top, bottom));
        top /= 2;
        left /= 2;
        bottom = (bottom + 1) / 2;
        right = (right + 1) / 2;
    }
    return result;
}

} // namespace headroom
