// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QCPGraph;
class QCustomPlot;

namespace headroom::widgets {

/// A graph on the plot's first axes whose line is stroked piece by piece; the plot owns it. A line that goes
/// up and down hundreds of times crosses itself everywhere once it has a width, and one outline with all
/// those crossings takes Qt's rasteriser many times as long as the same line in short pieces. Dashes run on
/// from piece to piece; on paper it is one line.
QCPGraph* addCurveGraph(QCustomPlot& plot);

} // namespace headroom::widgets
