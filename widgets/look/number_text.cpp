// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/number_text.h"

#include "core/time/rounded_time.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

namespace headroom::widgets {

QString numberText(double value, int decimals) {
    if (!std::isfinite(value))
        return QStringLiteral("–");
    // As the worker's printf rounds: 96.25 is "96.2" in the log and here. QLocale would round it up.
    std::string digits(static_cast<std::size_t>(decimals) + 320, '\0'); // of the largest double
    digits.resize(static_cast<std::size_t>(
        std::to_chars(digits.data(), digits.data() + digits.size(), std::abs(value), std::chars_format::fixed, decimals).ptr -
        digits.data()));
    const bool isZero = std::all_of(digits.begin(), digits.end(), [](char c) { return c == '0' || c == '.'; });
    for (auto at = static_cast<std::ptrdiff_t>(std::min(digits.find('.'), digits.size())) - 3; at > 0; at -= 3)
        digits.insert(static_cast<std::size_t>(at), 1, ',');
    const QString text = QString::fromStdString(digits);
    return value < 0 && !isZero ? QChar(0x2212) + text : text;
}

QString timeText(double value, int decimals) {
    return numberText(roundedTime(value, decimals), decimals);
}

QString progressText(double share) {
    constexpr double kRounding = 1e-9; // 0.29 is a little less than 29 of 100
    return numberText(std::floor(100 * share + kRounding), 0) + kNarrowSpace + QLatin1Char('%');
}

QString counted(std::int64_t number, const QString& one, const QString& several) {
    return number == 1 ? one : several.arg(numberText(static_cast<double>(number), 0));
}

QString shortNumberText(double value) {
    return std::isfinite(value) ? withShortExponent(QString::number(value)) : QStringLiteral("–");
}

QString withShortExponent(const QString& number) {
    const auto e = number.indexOf(QLatin1Char('e'));
    return withMinus(e < 0 ? number : number.left(e + 1) + QString::number(number.mid(e + 1).toInt()));
}

QString withMinus(QString number) {
    return number.replace(QLatin1Char('-'), QChar(0x2212));
}

} // namespace headroom::widgets
