// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>

namespace headroom {

/// A time, in any unit, with so many decimals. Half of the last one goes away from zero as the time is written, not as it is stored:
/// 9.655 and 4.0525 are stored a little smaller or larger. The owner of this rule for every text that shows a time.
inline double roundedTime(double value, int decimals) {
    constexpr double kHalf = 0.5 + 1e-7; // of the last decimal; the errors of doubles are smaller, differences of times are larger
    const double scale = std::pow(10.0, decimals), scaled = std::abs(value) * scale;
    if (!(scaled < 1e15)) // also NaN
        return value;
    return std::copysign(std::floor(scaled + kHalf) / scale, value);
}

} // namespace headroom
