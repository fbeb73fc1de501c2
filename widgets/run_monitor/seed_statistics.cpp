// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run_monitor/seed_statistics.h"

#include "core/statistics/moments.h"

#include <cmath>

namespace headroom::widgets {

SeedStatistics statisticsOf(const std::vector<double>& values) {
    SeedStatistics result;
    Moments moments;
    for (const double one : values)
        if (std::isfinite(one))
            moments.add(one);
    result.count = static_cast<int>(moments.n());
    if (result.count > 0)
        result.mean = moments.mean();
    if (result.count > 1)
        result.deviation = moments.sampleDeviation();
    return result;
}

SeedStatistics overSeeds(const RunGroup& group, double (RunItem::*value)() const) {
    std::vector<double> values;
    for (const RunItem* run : group.scoredRuns())
        values.push_back((run->*value)());
    return statisticsOf(values);
}

} // namespace headroom::widgets
