// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/time_axis/time_axis.h"

#include <vector>

#include <QString>

namespace headroom::widgets {

/// The ticks of a time axis: labelled ones at a step of 1, 2 or 5 times a power of ten, so that labels are at
/// least `leastDistance` pixels apart, and unlabelled ones between. On an axis of tokens, every labelled tick is the
/// middle of a token, and there are no others.
struct TimeTicks {
    double step = 0;  ///< between labels, seconds or tokens
    AxisUnit unit = AxisUnit::Seconds;
    int decimals = 0; ///< decimals that distinguish neighbouring labels
    std::vector<Seconds> labelled;
    std::vector<Seconds> between;

    /// `width`: the width of `span` in pixels. Empty for an empty span or width.
    static TimeTicks over(TimeSpan span, double width, double leastDistance, AxisUnit unit = AxisUnit::Seconds);
    QString label(Seconds time) const;
};

} // namespace headroom::widgets
