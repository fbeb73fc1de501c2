// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRect>
#include <QString>

class QCPGraph;
class QCustomPlot;
class QFontMetricsF;
class QPainter;
class QPen;
class QRectF;

namespace headroom::widgets {

/// Applies Headroom's style to a QCustomPlot: theme colours, small tick labels, margins fixed by Sizes (a
/// long tick label moves nothing), no frame on the right, QCustomPlot's own ticks. Call it again after a change of theme.
void styleCurvePlot(QCustomPlot& plot);

/// Makes the steps of both axes larger until no two numbers touch. For the size of the viewport; before a replot.
void fitTicks(QCustomPlot& plot);

/// Adds a graph that the frame does not cut at its sides: the line of D(w) = 1, and the marker of the last update. The plot owns it.
QCPGraph* addWholeGraph(QCustomPlot& plot);

/// Colour and dash of model or experiment `style` (0 … 35), the same in every plot, legend and list. From 6 on it is the same
/// colours with other dashes.
QPen runPen(int style, double width);

/// A name elided in the middle, because names of one experiment differ at their ends; never within a number:
/// "…150 updates", not "…50 updates".
QString elidedInMiddle(const QString& name, const QFontMetricsF& font, double width);

/// Returns a name for a legend; a long one is elided in the middle.
QString elidedName(const QString& name);

/// Whether a box, in pixels of the plot, would lie on a curve.
bool isOnCurve(const QCustomPlot& plot, const QRectF& box);

/// Draws the whole plot with QPainter alone (text stays text in SVG and PDF).
void renderPlot(QCustomPlot& plot, QPainter& painter, const QRect& target);

} // namespace headroom::widgets
