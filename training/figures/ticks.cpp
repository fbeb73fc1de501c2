// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/figures/ticks.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace headroom::figures {

namespace {

/// 1, 2 or 5 times a power of ten, not below `least`.
double niceStep(double least) {
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= least * (1 - 1e-9))
            return factor * power;
    return 10 * power;
}

int decimalsOf(double step) {
    return std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
}

} // namespace

std::string numberText(double value, int decimals) {
    if (!std::isfinite(value))
        return "–";
    char text[400];
    std::snprintf(text, sizeof text, "%.*f", decimals, std::abs(value));
    std::string digits = text;
    const bool isZero = digits.find_first_not_of("0.") == std::string::npos;
    const auto whole = std::min(digits.find('.'), digits.size());
    for (std::size_t at = whole; at > 3;) {
        at -= 3;
        digits.insert(at, 1, ',');
    }
    return (value < 0 && !isZero ? "−" : "") + digits;
}

Ticks niceTicks(double low, double high, int most, double least) {
    Ticks ticks;
    if (!(high > low) || most < 1)
        return ticks;
    const double step = niceStep(std::max(least, (high - low) / most));
    const int decimals = decimalsOf(step);
    const double slack = step * 1e-6;
    for (double k = std::ceil((low - slack) / step); k * step <= high + slack; ++k) {
        ticks.at.push_back(k * step);
        ticks.labels.push_back(numberText(k * step, decimals));
    }
    return ticks;
}

Ticks logTicks(double low, double high, int most) {
    Ticks ticks;
    if (!(low > 0 && high > low))
        return ticks;
    for (const bool between : {true, false}) {
        ticks = {};
        for (double power = std::floor(std::log10(low)); power <= std::log10(high) + 1e-9; ++power)
            for (const double factor : {1.0, 2.0, 5.0}) {
                const double value = factor * std::pow(10, power);
                if ((factor > 1 && !between) || value < low * (1 - 1e-9) || value > high * (1 + 1e-9))
                    continue;
                ticks.at.push_back(value);
                ticks.labels.push_back(numberText(value, std::max(0, -static_cast<int>(power))));
            }
        if (static_cast<int>(ticks.at.size()) <= most)
            break;
    }
    return ticks;
}

Ticks countTicks(int count, int most) {
    Ticks ticks;
    int step = static_cast<int>(niceStep(std::max(1.0, double(count) / std::max(1, most))));
    const auto add = [&](int value) {
        ticks.at.push_back(value);
        ticks.labels.push_back(std::to_string(value));
    };
    // Every second one starts at 1; from 5 on the round numbers are meant.
    for (int value = 1; value<count; value = step> 2 && value == 1 ? step : value + step)
        if (value == 1 || 2 * (count - value) > step)
            add(value);
    if (count > 0)
        add(count);
    return ticks;
}

double niceCeiling(double value) {
    if (!(value > 0))
        return 1;
    const double step = niceStep(value / 5);
    return std::ceil(value / step - 1e-9) * step;
}

} // namespace headroom::figures
