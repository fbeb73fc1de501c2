// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/time/units.h"

#include <QString>

#include <cstdint>

namespace headroom::app {

// Number formats: point for decimals, comma for thousands, U+2212 minus, narrow no-break
// space before units; what is not known is "–", never 0. All pure.

QString secondsText(Seconds time);                       ///< "2.420 s"
QString secondsInList(Seconds time);                     ///< "3.13 s"
QString secondsInListBare(Seconds time);                 ///< "3.13"
QString secondsBare(Seconds time);                       ///< "2.420"
QString signedWhole(double value);                       ///< "+1,480", "−8", "0"
QString offsetText(std::int64_t tokens, Seconds offset); ///< "+3 tokens, +120 ms"
QString briefOffsetText(std::int64_t tokens, Seconds offset); ///< "+3, +120 ms"
QString decimals(double value, int digits);              ///< U+2212 minus; "–" where it is not finite
QString smallNumber(double value);                       ///< "1.2e−7"; "0" for 0
QString thousands(std::int64_t value);                   ///< "30,940"
QString decimalBytes(double bytes);                      ///< "11.8 GB"
inline const QString kUnknown = QStringLiteral("–");

} // namespace headroom::app
