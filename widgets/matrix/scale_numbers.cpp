// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/matrix/scale_numbers.h"

#include "widgets/look/number_text.h"

#include <cmath>

namespace headroom::widgets {

QString ScaleNumbers::factor() const {
    return exponent == 0 ? QString() : exponent == -3 ? QStringLiteral("×10⁻³") : QStringLiteral("×10⁻⁶");
}

QString ScaleNumbers::text(double value) const {
    return value == 0 ? QStringLiteral("0") : numberText(value * std::pow(10, -exponent), decimals);
}

ScaleNumbers scaleNumbers(double high) {
    ScaleNumbers numbers;
    if (!(high > 0))
        return numbers;
    numbers.exponent = high >= 0.0995 ? 0 : high >= 0.0000995 ? -3 : -6;
    numbers.decimals = high * std::pow(10, -numbers.exponent) >= 9.95 ? 1 : 2;
    return numbers;
}

std::vector<ScaleTick> scaleTicks(const ScaleRange& range, int parts) {
    constexpr int kExactDecimals = 3, kMostDecimals = 5;
    const ScaleNumbers numbers = scaleNumbers(range.high);
    std::vector<ScaleTick> ticks;
    for (int part = 0; part <= parts; ++part) {
        ScaleTick tick;
        tick.share = static_cast<double>(part) / parts;
        const double from = 2 * tick.share - 1; // a difference: from the middle
        tick.value = range.isSigned ? range.high * std::copysign(std::pow(std::abs(from), 1 / range.gamma), from)
                                    : range.low + (range.high - range.low) * std::pow(tick.share, 1 / range.gamma);
        // A small gamma crowds the values near 0: 0.006 would be rounded to "0.01", and "0.00" would read as the tick that is 0.
        ScaleNumbers own = numbers;
        const auto isTooShort = [&] {
            const double shown = std::abs(tick.value) * std::pow(10, own.decimals - own.exponent);
            return shown < (own.decimals < kExactDecimals ? 5 : 0.5);
        };
        while (tick.value != 0 && own.decimals < kMostDecimals && isTooShort())
            ++own.decimals;
        tick.label = own.text(tick.value);
        if (range.isCut && part == parts)
            tick.label.prepend(QStringLiteral("≥\u202f"));
        if (range.isCut && part == 0 && range.isSigned)
            tick.label.prepend(QStringLiteral("≤\u202f"));
        ticks.push_back(tick);
    }
    return ticks;
}

} // namespace headroom::widgets
