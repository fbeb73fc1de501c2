// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QRegion>

class QPainter;

namespace headroom::widgets {

/// Hatches `region` with diagonal lines `step` apart, for undefined or excluded cells. Neighbouring regions
/// with the same step share one continuous pattern.
void hatch(QPainter& painter, const QRegion& region, const QColor& line, double step);
/// The line colour of undefined cells, faint enough for a map that is mostly undefined.
QColor undefinedLine();

} // namespace headroom::widgets
