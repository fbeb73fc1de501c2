// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/windows.h"

#include <algorithm>
#include <cmath>

namespace headroom {

std::int64_t windowStatistic(const DiagonalProfile& profile, const WindowSearchSettings& settings) {
    if (profile.empty())
        return 0;
    const double patience = settings.patienceShare * static_cast<double>(profile.size());
    std::int64_t last = 0;
    std::int64_t failed = 0;
    for (std::int64_t offset = 0; offset < profile.size(); ++offset) {
        if (profile.mean(offset) > settings.threshold || profile.mean(-offset) > settings.threshold) {
            last = offset;
            failed = 0;
        } else if (static_cast<double>(++failed) >= patience) {
            break;
        }
    }
    return settings.statistic == WindowStatistic::AsPrinted ? 2 * last + 1 : 2 * last;
}

std::int64_t windowFromStatistic(double mean, double standardDeviation) {
    // A sum that is whole on paper (4.1 + 0.9) must not become the next integer by its last bit.
    constexpr double kRounding = 1e-9;
    const double width = std::ceil(mean + standardDeviation - kRounding);
    const auto whole = static_cast<std::int64_t>(std::max(1.0, width));
    return whole % 2 == 0 ? whole + 1 : whole;
}

} // namespace headroom
