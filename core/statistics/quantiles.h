// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace headroom {

/// The quantile `share` (0 … 1) of `sorted` (ascending, without NaN), linear between neighbours. NaN if
/// `sorted` is empty. Pure; thread-safe.
double quantile(std::span<const double> sorted, double share);

/// Quartiles and extremes of some values; all NaN for none.
struct FiveNumbers {
    double least = 0, lower = 0, median = 0, upper = 0, most = 0;
};
/// NaN values are left out.
FiveNumbers fiveNumbers(std::vector<double> values);

/// The middle value, or the mean of the two middle ones. NaN values are left out; NaN if none is left.
double median(std::vector<double> values);

} // namespace headroom
