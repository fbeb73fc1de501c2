// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/statistics/undefined.h"
#include "widgets/run_monitor/run_item.h"

namespace headroom::widgets {

/// Mean and sample standard deviation of the finite values of RunGroup::scoredRuns(); count 0: NaN. Once a run has finished,
/// unfinished ones do not count, because their best is still to come.
struct SeedStatistics {
    double mean = kUndefined, deviation = kUndefined;
    int count = 0;
};
SeedStatistics statisticsOf(const std::vector<double>& values);
SeedStatistics overSeeds(const RunGroup& group, double (RunItem::*value)() const);

} // namespace headroom::widgets
