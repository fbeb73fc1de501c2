// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/statistics/quantiles.h"

#include "core/statistics/undefined.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headroom {

double quantile(std::span<const double> sorted, double share) {
    if (sorted.empty())
        return kUndefined;
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

FiveNumbers fiveNumbers(std::vector<double> values) {
    std::erase_if(values, [](double value) { return std::isnan(value); });
    std::sort(values.begin(), values.end());
    return {quantile(values, 0), quantile(values, 0.25), quantile(values, 0.5), quantile(values, 0.75),
            quantile(values, 1)};
}

double median(std::vector<double> values) {
    return fiveNumbers(std::move(values)).median;
}

} // namespace headroom
