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

} // namespace headroom::widgets
