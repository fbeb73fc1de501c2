// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace headroom::figures {

/// The divisions of an axis and their labels.
struct Ticks {
    std::vector<double> at;
    std::vector<std::string> labels;
};

/// Formats "−1,234.50": decimal point, comma for thousands, U+2212 minus; “–” if not finite.
std::string numberText(double value, int decimals);

/// Returns steps of 1, 2 or 5 times a power of ten inside [low, high], at most about `most`; none smaller than `least`: 1 for counts.
Ticks niceTicks(double low, double high, int most, double least = 0);
/// Returns powers of ten inside [low, high], with 2 and 5 between them if these are at most `most`.
Ticks logTicks(double low, double high, int most = 10);
/// Returns 1 … count: all, or every second, or 1, 5, 10 … if there are more than `most`; and the last.
Ticks countTicks(int count, int most);
/// Returns the next nice number that is not smaller.
double niceCeiling(double value);

} // namespace headroom::figures
