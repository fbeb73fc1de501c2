// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPointF>
#include <QRegion>
#include <QString>

class QPainter;

namespace headroom::widgets {

enum class Hatching {
    Lines,   ///< undefined: there is nothing to measure
    Crossed, ///< left out on purpose
};
/// Hatches `region` with diagonal lines `step` apart. Neighbouring regions with the same step share one
/// continuous pattern.
void hatch(QPainter& painter, const QRegion& region, const QColor& line, double step,
           Hatching hatching = Hatching::Lines);
/// Legend of undefined cells: a hatched box with `text` below. Returns its bottom.
double paintUndefinedKey(QPainter& painter, const QPointF& corner, const QString& text, double step);
/// The line colour of undefined cells, faint enough for a map that is mostly undefined.
QColor undefinedLine();

/// Returns the step for cells that are `cell` pixels wide: half a cell, at least four pixels.
double hatchStep(double cell);

} // namespace headroom::widgets
