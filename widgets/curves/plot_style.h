// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRect>

class QCustomPlot;
class QPainter;

namespace headroom::widgets {

/// The house's look on a QCustomPlot: theme colours, small tick labels, margins fixed from Metrics (a long
/// tick label moves nothing), no frame at the right. Call again after a change of theme.
void styleCurvePlot(QCustomPlot& plot);

/// Draws the whole plot with QPainter alone (text stays text in SVG and PDF).
void renderPlot(QCustomPlot& plot, QPainter& painter, const QRect& target);

} // namespace headroom::widgets
