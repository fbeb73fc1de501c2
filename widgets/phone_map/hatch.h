// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QRegion>

class QPainter;

namespace headroom::widgets {

/// Diagonal lines inside `region`, `step` apart: cells that are undefined or left out are known by their
/// pattern. Neighbouring regions with one step run in one pattern.
void hatch(QPainter& painter, const QRegion& region, const QColor& line, double step);
/// The line of undefined cells, quiet enough for a map that is mostly undefined.
QColor undefinedLine();

} // namespace headroom::widgets
