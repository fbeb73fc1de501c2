// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/curves/curve_key.h"
#include "widgets/look/sizes.h"

#include <QFontMetricsF>

namespace headroom::widgets {

/// The line or the marker, and the space behind it.
inline double keySample(const KeyEntry& entry) {
    return (entry.sample == KeyEntry::Sample::Line ? 3.5 : 1.75) * Sizes::unit();
}
inline double keySpacing() {
    return 2 * Sizes::unit();
}
inline double keyRowHeight() {
    return QFontMetricsF(Sizes::small()).height() + Sizes::unit() / 4;
}

/// Nothing is left out, and every name that is cut can be told from the others.
bool isReadable(const std::vector<KeyEntry>& entries, const KeyRows& rows);

} // namespace headroom::widgets
