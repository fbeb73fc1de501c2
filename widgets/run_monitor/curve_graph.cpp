// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run_monitor/curve_graph.h"

#include "widgets/curves/plot_style.h"
#include "widgets/curves/whole_graph.h"

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

namespace {

constexpr qsizetype kPiece = 16; // points

class CurveGraph : public WholeGraph {
public:
    using WholeGraph::WholeGraph;

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
    return new CurveGraph(plot);
}

void addLoneSpreads(QCustomPlot& plot, const Curve& mean, const Curve& lower, const Curve& upper,
                    const std::vector<double>& deviation, const QPen& pen, const QCPScatterStyle& marker) {
    const auto has = [&](std::size_t i) { return i < deviation.size() && std::isfinite(deviation[i]); };
    QVector<double> x, y, below, above;
    for (std::size_t i = 0; i < deviation.size(); ++i) {
        if (!has(i) || has(i + 1) || (i > 0 && has(i - 1)))
            continue;
        x << mean.x[i];
        y << mean.y[i];
        below << mean.y[i] - lower.y[i];
        above << upper.y[i] - mean.y[i];
    }
    if (x.isEmpty())
        return;
    auto* points = addWholeGraph(plot);
    points->setPen(Qt::NoPen);
    points->setScatterStyle(marker);
    points->setData(x, y, true);
    auto* bars = new WholeErrorBars(plot);
    bars->setDataPlottable(points);
    bars->setPen(pen);
    bars->setWhiskerWidth(6 * pen.widthF());
    bars->setSymbolGap(0);
    bars->setData(below, above);
}

} // namespace headroom::widgets
