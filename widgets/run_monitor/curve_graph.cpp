// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run_monitor/curve_graph.h"

#include <qcustomplot.h>

#include <QtMath>

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

/// Not cut by the sides of the frame, and drawn over them: the last update lies on the right one.
template <class Plottable> class AtTheEdge : public Plottable {
public:
    AtTheEdge(QCustomPlot& plot, int beyond) : Plottable(plot.xAxis, plot.yAxis), m_beyond(beyond) { // which registers itself
        this->setLayer(QStringLiteral("legend")); // the first one above the axes
    }

protected:
    QRect clipRect() const override { return Plottable::clipRect().adjusted(-m_beyond, 0, m_beyond, 0); }

private:
    int m_beyond; ///< pixels
};

} // namespace

QCPGraph* addCurveGraph(QCustomPlot& plot) {
    return new CurveGraph(plot.xAxis, plot.yAxis); // which registers itself
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
    const double whiskers = 6 * pen.widthF();
    const int beyond = qCeil(std::max(whiskers, marker.size()) / 2 + pen.widthF());
    auto* points = new AtTheEdge<QCPGraph>(plot, beyond);
    points->setPen(Qt::NoPen);
    points->setScatterStyle(marker);
    points->setData(x, y, true);
    auto* bars = new AtTheEdge<QCPErrorBars>(plot, beyond);
    bars->setDataPlottable(points);
    bars->setPen(pen);
    bars->setWhiskerWidth(whiskers);
    bars->setSymbolGap(0);
    bars->setData(below, above);
}

} // namespace headroom::widgets
