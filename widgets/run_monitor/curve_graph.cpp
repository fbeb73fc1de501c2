// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run_monitor/curve_graph.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

namespace {

constexpr qsizetype kPiece = 16; // points

class CurveGraph : public QCPGraph {
public:
    using QCPGraph::QCPGraph;

protected:
    void drawLinePlot(QCPPainter* painter, const QVector<QPointF>& lines) const override;
};

void CurveGraph::drawLinePlot(QCPPainter* painter, const QVector<QPointF>& lines) const {
    if (lines.size() <= kPiece || painter->modes().testFlag(QCPPainter::pmVectorized))
        return QCPGraph::drawLinePlot(painter, lines);
    if (painter->pen().style() == Qt::NoPen || painter->pen().color().alpha() == 0)
        return;
    applyDefaultAntialiasingHint(painter);
    QPen pen = painter->pen();
    const double width = std::max(pen.widthF(), 1.0); // dashes are counted in it
    double length = 0;
    for (qsizetype first = 0; first + 1 < lines.size(); first += kPiece - 1) {
        const auto piece = lines.mid(first, kPiece); // begins where the one before ended
        if (pen.style() == Qt::CustomDashLine) {
            pen.setDashOffset(length / width);
            painter->setPen(pen);
        }
        drawPolyline(painter, piece);
        for (qsizetype i = 1; i < piece.size(); ++i) {
            const QPointF step = piece[i] - piece[i - 1];
            if (const double more = std::hypot(step.x(), step.y()); std::isfinite(more)) // not over a gap
                length += more;
        }
    }
}

} // namespace

QCPGraph* addCurveGraph(QCustomPlot& plot) {
    return new CurveGraph(plot.xAxis, plot.yAxis); // which registers itself
}

} // namespace headroom::widgets
