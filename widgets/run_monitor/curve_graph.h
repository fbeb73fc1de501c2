// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QCPGraph;
class QCustomPlot;

namespace headroom::widgets {

/// Adds a graph on the plot's first axes whose line is stroked piece by piece; the plot owns it. A noisy line
/// with a width crosses itself everywhere, and as one outline it takes Qt's rasteriser many times as long as
/// in short pieces. Dashes continue across pieces; in exports it is one line.
QCPGraph* addCurveGraph(QCustomPlot& plot);

} // namespace headroom::widgets
