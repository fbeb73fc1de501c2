// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace headroom {

// Rank correlation. Pure; thread-safe.

/// The rank of each value from 1, ascending; equal values share the mean of their ranks. Values are finite.
/// O(n log n).
std::vector<double> averageRanks(std::span<const double> values);

/// Pearson's correlation of two lists of one length. NaN for fewer than two values, or if one list is constant.
/// Throws std::invalid_argument for different lengths.
double correlation(std::span<const double> a, std::span<const double> b);

/// Spearman's ρ: the correlation of the average ranks. NaN as above, and if a value is not finite.
double spearman(std::span<const double> a, std::span<const double> b);

} // namespace headroom
