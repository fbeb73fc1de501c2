// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace headroom::figures {

/// Where an axis is divided, and what stands there.
struct Ticks {
    std::vector<double> at;
    std::vector<std::string> labels;
};

/// "−1,234.50": point for decimals, comma for thousands, U+2212 minus; “–” where it is not finite.
std::string numberText(double value, int decimals);

/// Steps of 1, 2 or 5 times a power of ten inside [low, high], about `most` of them at the most.
Ticks niceTicks(double low, double high, int most);
/// Powers of ten inside [low, high], with 2 and 5 between them where these are not more than `most`.
Ticks logTicks(double low, double high, int most = 10);
/// 1 … count: every one, or every second, or 1, 5, 10 … where there are more than `most`; and the last.
Ticks countTicks(int count, int most);
/// The next nice number that is not below.
double niceCeiling(double value);

} // namespace headroom::figures
