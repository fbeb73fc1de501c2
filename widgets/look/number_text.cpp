// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/number_text.h"

#include <algorithm>
#include <cmath>

#include <QLocale>

namespace headroom::widgets {

QString numberText(double value, int decimals) {
    if (!std::isfinite(value))
        return QStringLiteral("–");
    static const QLocale english(QLocale::English, QLocale::UnitedStates);
    const QString digits = english.toString(std::abs(value), 'f', decimals);
    const bool isZero = std::all_of(digits.begin(), digits.end(),
                                    [](QChar c) { return c == u'0' || c == u'.' || c == u','; });
    return value < 0 && !isZero ? QChar(0x2212) + digits : digits;
}

} // namespace headroom::widgets
