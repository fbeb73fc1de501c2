// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headroom::widgets {

/// Between a number and its unit: U+202F, narrow and unbreakable.
inline constexpr QChar kNarrowSpace(u'\u202F');

/// Formats a number: decimal point, comma for thousands, U+2212 minus; “–” for NaN and infinity (unknown).
/// Never “−0.00”.
QString numberText(double value, int decimals);

} // namespace headroom::widgets
