// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/number_text.h"

#include "core/time/hundredths_text.h"
#include "core/time/rounded_time.h"
#include "widgets/look/number_text.h"

#include <QLocale>

#include <cmath>

namespace headroom::app {

QString decimals(double value, int digits) {
    return widgets::numberText(value, digits);
}

QString secondsBare(Seconds time) {
    return widgets::timeText(time.value(), 3);
}

QString secondsText(Seconds time) {
    return secondsBare(time) + widgets::kNarrowSpace + QLatin1Char('s');
}

QString secondsInListBare(Seconds time) {
    // As the sentences of the core round it: 0.625 s is one time in the list and in its message.
    return widgets::withMinus(QString::fromStdString(hundredthsText(time)));
}

QString secondsInList(Seconds time) {
    return secondsInListBare(time) + widgets::kNarrowSpace + QLatin1Char('s');
}

QString signedWhole(double value) {
    const double whole = roundedTime(value, 0);
    return (whole > 0 ? QStringLiteral("+") : QString()) + decimals(whole, 0);
}

QString briefOffsetText(std::int64_t tokens, Seconds offset) {
    return signedWhole(static_cast<double>(tokens)) + QStringLiteral(", ") + signedWhole(offset.value() * 1000) +
           widgets::kNarrowSpace + QStringLiteral("ms");
}

QString offsetText(std::int64_t tokens, Seconds offset) {
    QString text = briefOffsetText(tokens, offset);
    return text.insert(text.indexOf(QStringLiteral(", ")), tokens == 1 || tokens == -1 ? QStringLiteral(" token") : QStringLiteral(" tokens"));
}

QString smallNumber(double value) {
    if (!std::isfinite(value))
        return kUnknown;
    if (value == 0)
        return QStringLiteral("0");
    return widgets::withShortExponent(QString::number(value, 'e', 1));
}

QString thousands(std::int64_t value) {
    return widgets::withMinus(
        QLocale(QLocale::English, QLocale::UnitedStates).toString(static_cast<qlonglong>(value)));
}

QString decimalBytes(double bytes) {
    const bool giga = bytes >= 1e9, kilo = bytes > 0 && bytes < 1e5; // “0.0 MB” would say that there is nothing
    return decimals(bytes / (giga ? 1e9 : kilo ? 1e3 : 1e6), 1) + widgets::kNarrowSpace +
           (giga ? QStringLiteral("GB") : kilo ? QStringLiteral("kB") : QStringLiteral("MB"));
}

} // namespace headroom::app
