// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstdint>

namespace headroom::widgets {

/// Between a number and its unit: U+202F, narrow and unbreakable.
inline constexpr QChar kNarrowSpace(u'\u202F');

/// Formats a number: decimal point, comma for thousands, U+2212 minus; “–” for NaN and infinity (unknown).
/// Never “−0.00”.
QString numberText(double value, int decimals);

/// numberText() of a time in any unit, rounded as roundedTime() does: 4.0525 s is "4.053" wherever it stands.
QString timeText(double value, int decimals);

/// Formats a share that grows to 1 as whole per cent, rounded down: 299 of 300 is "99 %", and only all of it is "100 %".
QString progressText(double share);

/// "1 token" or "1,052 tokens": `several` has a %1, which becomes the number.
QString counted(std::int64_t number, const QString& one, const QString& several);

/// Formats a number with the digits that it needs, six at most, and without commas: "0.5", "−3", "1e−5"; “–” where it
/// is unknown.
QString shortNumberText(double value);

/// Shortens the exponent of a number that was formatted otherwise, "1.2e-07" to "1.2e−7", and gives it U+2212.
QString withShortExponent(const QString& number);

/// Replaces the hyphens of a number that was formatted otherwise, also that of its exponent, by U+2212.
QString withMinus(QString number);

} // namespace headroom::widgets
