// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRect>
#include <QString>

class QCustomPlot;
class QPainter;
class QPen;

namespace headroom::widgets {

/// The house's look on a QCustomPlot: theme colours, small tick labels, margins fixed from Metrics (a long
/// tick label moves nothing), no frame at the right. Call again after a change of theme.
void styleCurvePlot(QCustomPlot& plot);

/// Colour and dash of model or experiment `style` (0 … 5), the same in every plot, legend and list.
QPen runPen(int style, double width);

/// A name in a legend: the middle of a long one gives way.
QString elidedName(const QString& name);

/// Draws the whole plot with QPainter alone (text stays text in SVG and PDF).
void renderPlot(QCustomPlot& plot, QPainter& painter, const QRect& target);

} // namespace headroom::widgets
