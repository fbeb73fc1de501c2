// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/time_axis/ticks.h"

#include "widgets/look/number_text.h"

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

TimeTicks TimeTicks::over(TimeSpan span, double width, double leastDistance, AxisUnit unit) {
    TimeTicks ticks;
    ticks.unit = unit;
    const double length = span.length().value();
    if (!(length > 0) || !(width > 0) || !(leastDistance > 0))
        return ticks;
    const double least = length / width * leastDistance;
    const double power = std::pow(10.0, std::floor(std::log10(least)));
    int parts = 5; // unlabelled steps per labelled one
    ticks.step = 10 * power;
    for (const double nice : {1.0, 2.0, 5.0}) {
        if (nice * power >= least * (1 - 1e-9)) {
            ticks.step = nice * power;
            parts = nice == 2.0 ? 4 : 5;
            break;
        }
    }
    if (unit == AxisUnit::Tokens) {
        ticks.step = std::max(ticks.step, 1.0);
        for (double token = std::ceil((span.start.value() - 0.5) / ticks.step - 1e-9) * ticks.step;
             token + 0.5 <= span.end.value(); token += ticks.step)
            ticks.labelled.push_back(Seconds(token + 0.5));
        return ticks;
    }
    ticks.decimals = std::max(0, int(std::ceil(-std::log10(ticks.step) - 1e-9)));
    const double minor = ticks.step / parts;
    const auto first = static_cast<long long>(std::ceil(span.start.value() / minor - 1e-9));
    const auto last = static_cast<long long>(std::floor(span.end.value() / minor + 1e-9));
    for (long long index = first; index <= last; ++index)
        (index % parts == 0 ? ticks.labelled : ticks.between).push_back(Seconds(double(index) * minor));
    return ticks;
}

QString TimeTicks::label(Seconds time) const {
    if (unit == AxisUnit::Tokens)
        return numberText(std::floor(time.value()), 0);
    return timeText(time.value(), std::max(1, decimals));
}

} // namespace headroom::widgets
