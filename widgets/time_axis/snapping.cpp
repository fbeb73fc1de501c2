// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/time_axis/snapping.h"

#include <algorithm>

namespace headroom::widgets {

Seconds nearestBound(const std::vector<Seconds>& bounds, Seconds time, Seconds reach) {
    const auto after = std::lower_bound(bounds.begin(), bounds.end(), time);
    Seconds best = time, distance = reach;
    if (after != bounds.end() && *after - time <= distance) {
        best = *after;
        distance = *after - time;
    }
    if (after != bounds.begin() && time - *std::prev(after) <= distance)
        best = *std::prev(after);
    return best;
}

std::vector<Seconds> snapBounds(const Alignment& alignment) {
    std::vector<Seconds> bounds;
    for (const auto* tier : {&alignment.words, &alignment.phones})
        for (const Interval& interval : *tier) {
            bounds.push_back(interval.start);
            bounds.push_back(interval.end);
        }
    std::sort(bounds.begin(), bounds.end());
    bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
    return bounds;
}

} // namespace headroom::widgets
