// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

namespace headroom::widgets {

/// A graph whose line is stroked piece by piece. A line that goes up and down hundreds of times crosses
/// itself everywhere once it has a width, and one outline with all those crossings takes Qt's rasteriser a
/// hundred times as long as the same line in short pieces. Dashes run on from piece to piece; on paper it is
/// one line.
class CurveGraph : public QCPGraph {
public:
    using QCPGraph::QCPGraph;

protected:
    void drawLinePlot(QCPPainter* painter, const QVector<QPointF>& lines) const override;
};

} // namespace headroom::widgets
