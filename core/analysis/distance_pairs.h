// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/matrix.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headroom {

/// The strongest pair of tokens that are so many tokens apart.
struct DistancePair {
    std::int64_t query = 0, key = 0;
    double value = 0; ///< 0: none is above zero
};

/// Of a square map, for every distance |query − key| = 0 … N − 1; of equal pairs the earlier query, then the earlier key. NaN is
/// no pair. O(N²).
std::vector<DistancePair> strongestByDistance(MatrixView<const float> map);

/// The same from the largest value along each diagonal and its query, offsets −(N−1) … N−1, the earlier of equal ones.
std::vector<DistancePair> strongestByDistance(std::span<const double> values, std::span<const double> queries);

} // namespace headroom
