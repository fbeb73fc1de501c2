// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/text_grid.h"

#include <algorithm>

namespace headroom {

/// Finds the interval of an ordered tier that contains a time; null between intervals. Borrowed.
inline const Interval* intervalAt(const std::vector<Interval>& tier, Seconds time) {
    const auto after =
        std::upper_bound(tier.begin(), tier.end(), time,
                         [](Seconds moment, const Interval& interval) { return moment < interval.start; });
    if (after == tier.begin())
        return nullptr;
    const Interval& last = *std::prev(after);
    return time < last.end ? &last : nullptr;
}

/// The label of that interval; empty if there is none.
inline std::string labelAt(const std::vector<Interval>& tier, Seconds time) {
    const Interval* found = intervalAt(tier, time);
    return found ? found->label : std::string();
}

} // namespace headroom
