// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/run_monitor/curve_math.h"

#include <vector>

class QCPGraph;
class QCPScatterStyle;
class QCustomPlot;
class QPen;

namespace headroom::widgets {

/// Adds a graph on the plot's first axes whose line is stroked piece by piece; the plot owns it. A noisy line
/// with a width crosses itself everywhere, and as one outline it takes Qt's rasteriser many times as long as
/// in short pieces. Dashes continue across pieces; in exports it is one line.
QCPGraph* addCurveGraph(QCustomPlot& plot);

/// Adds a bar from `lower` to `upper`, and the marker, at every point of `mean` that has a deviation and no neighbour with
/// one: there a band has no width. They are whole also at the sides of the frame. The plot owns them.
void addLoneSpreads(QCustomPlot& plot, const Curve& mean, const Curve& lower, const Curve& upper,
                    const std::vector<double>& deviation, const QPen& pen, const QCPScatterStyle& marker);

} // namespace headroom::widgets
