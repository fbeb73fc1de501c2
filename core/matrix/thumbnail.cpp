// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/matrix/thumbnail.h"

#include "core/errors/error.h"
#include "core/matrix/max_pyramid.h"

namespace headroom {

Matrix<float> thumbnailOf(const Matrix<float>& matrix) {
    if (matrix.rows() <= kThumbnailSide)
        return matrix;
    const MaxPyramid pyramid(matrix);
    std::size_t level = 0;
    while (pyramid.level(level).rows() > kThumbnailSide)
        ++level;
    return pyramid.level(level);
}

Matrix<float> enlarged(const Matrix<float>& thumbnail, std::size_t side) {
    std::size_t shift = 0, rows = side;
    for (; rows > kThumbnailSide; rows = (rows + 1) / 2)
        ++shift;
    if (side == 0 || thumbnail.rows() != rows || thumbnail.columns() != rows)
        throw Error("matrix.thumbnail", "A thumbnail of " + std::to_string(thumbnail.rows()) + " × " + std::to_string(thumbnail.columns()) +
                                            " cells does not belong to a map of " + std::to_string(side) + " tokens.");
    Matrix<float> whole(side, side);
    for (std::size_t row = 0; row < side; ++row) {
        const auto from = thumbnail.row(row >> shift);
        const auto into = whole.row(row);
        for (std::size_t column = 0; column < side; ++column)
            into[column] = from[column >> shift];
    }
    return whole;
}

} // namespace headroom
