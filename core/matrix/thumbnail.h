// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/matrix.h"

#include <cstddef>

namespace headroom {

/// The longest side of a thumbnail, in cells: what the list of layers can show.
inline constexpr std::size_t kThumbnailSide = 160;

/// A square matrix for a picture of that size: the first level of its MaxPyramid with at most kThumbnailSide rows, which is the matrix itself
/// if it is small. Pure.
Matrix<float> thumbnailOf(const Matrix<float>& matrix);

/// The thumbnail at the size that it was made of, [side, side], every cell with the maximum of its block. Its MaxPyramid has the same coarse
/// levels as that of the matrix. Throws Error "matrix.thumbnail" if no matrix of that size has a thumbnail of this one. Pure.
Matrix<float> enlarged(const Matrix<float>& thumbnail, std::size_t side);

} // namespace headroom
