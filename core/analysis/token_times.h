// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/matrix.h"

#include <cstdint>
#include <vector>

namespace headroom {

/// Finds where in the sound each token of a text begins, from cross-attention maps, as Whisper does (Radford
/// et al. 2022; transformers' _extract_token_timestamps): each key of a map minus its mean over the rows,
/// divided by its population deviation; a median of `medianWidth` (odd) along the keys, mirrored at the ends
/// without repeating the edge; the mean over the maps; then dynamic time warping, which moves forward through
/// rows and keys and maximises the sum of what it crosses.
///
/// `maps`: one for each head, all [rows, keys]. Returns the first key of each row on the path: not
/// decreasing, the first is 0. Empty if there is no map, row or key.
std::vector<std::int64_t> firstKeysOfRows(const std::vector<Matrix<float>>& maps, int medianWidth = 7);

} // namespace headroom
