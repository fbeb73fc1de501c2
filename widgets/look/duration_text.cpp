// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/duration_text.h"

#include "widgets/look/number_text.h"
#include "widgets/look/translate.h"

#include <cmath>

namespace headroom::widgets {

QString durationText(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0)
        return QStringLiteral("–");
    const auto whole = std::llround(seconds);
    if (whole < 60)
        return QString::number(whole) + kNarrowSpace + QLatin1Char('s');
    const auto minutes = (whole + 30) / 60;
    if (minutes < 60)
        return QString::number(minutes) + kNarrowSpace + QStringLiteral("min");
    return QString::number(minutes / 60) + kNarrowSpace + QStringLiteral("h ") +
           QString::number(minutes % 60) + kNarrowSpace + QStringLiteral("min");
}

QString timeLeftText(double seconds) {
    return tr("%1 left").arg(durationText(seconds));
}

QString speedText(double framesPerSecond, bool areTokens) {
    if (!std::isfinite(framesPerSecond))
        return QStringLiteral("–");
    const QString unit = areTokens ? QStringLiteral("tokens/s") : QStringLiteral("frames/s");
    return numberText(framesPerSecond, 0) + kNarrowSpace + unit;
}

QString byteSpeedText(double bytesPerSecond) {
    if (!std::isfinite(bytesPerSecond))
        return QStringLiteral("–");
    if (bytesPerSecond >= 1e6)
        return numberText(bytesPerSecond / 1e6, bytesPerSecond >= 1e7 ? 0 : 1) + kNarrowSpace + QStringLiteral("MB/s");
    return numberText(bytesPerSecond / 1e3, 0) + kNarrowSpace + QStringLiteral("kB/s");
}

} // namespace headroom::widgets
