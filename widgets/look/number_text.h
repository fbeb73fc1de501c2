// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headroom::widgets {

/// A number as the house writes it: point for decimals, comma for thousands, U+2212 minus; “–” for NaN and
/// infinity, which are unknown. Never “−0.00”.
QString numberText(double value, int decimals);

} // namespace headroom::widgets
