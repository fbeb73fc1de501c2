// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/phone_attention.h"
#include "core/matrix/matrix.h"

#include <cmath>
#include <cstdint>
#include <vector>

namespace headroom {

// The pairs of tokens behind a cell of PAR: the query is spoken as one class, the key as another, and both lie
// in different runs. Weights are those of the map without silence, rows made to sum to 1 again. Rows without
// weight on speech have no pairs. Pure; thread-safe; O(T²).

struct TokenPair {
    std::int64_t query = 0, key = 0; ///< tokens of the whole sequence
    double weight = NAN;             ///< of the renormalised row; NaN: no pair
    double ofUniform = NAN;          ///< as a multiple of 1/T
};

/// The strongest pairs of one cell, strongest first; of equal ones the earlier query, then the earlier key.
std::vector<TokenPair> strongestPairs(MatrixView<const float> map, const SpokenTokens& spoken, int attending,
                                      int attended, std::size_t most = 24);
/// The strongest pair of every cell, [P, P] for the classes of `classes` (ascending; all of `spoken`).
Matrix<TokenPair> strongestPairs(MatrixView<const float> map, const SpokenTokens& spoken,
                                 const std::vector<int>& classes);

} // namespace headroom
