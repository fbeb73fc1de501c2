// SPDX-License-Identifier: GPL-3.0-or-later
// Curves that the frame of a plot does not cut at its sides. For .cpp files, as qcustomplot.h.
#pragma once

#include <qcustomplot.h>
#include <QtMath>

#include <algorithm>

namespace headroom::widgets {

/// A graph whose line on the upper or the lower side of the frame has its full width, and whose markers on any side are whole. Nothing
/// is drawn of a marker beyond the frame. Drawn over the axes.
class WholeGraph : public QCPGraph {
public:
    explicit WholeGraph(QCustomPlot& plot) : QCPGraph(plot.xAxis, plot.yAxis) { // which registers itself
        setLayer(QStringLiteral("legend"));                                      // the first one above the axes
    }

protected:
    QRect clipRect() const override {
        const int beyond = qCeil(pen().widthF() / 2);
        return QCPGraph::clipRect().adjusted(0, -beyond, 0, beyond);
    }

    void drawScatterPlot(QCPPainter* painter, const QVector<QPointF>& scatters, const QCPScatterStyle& style) const override {
        const QRect frame = QCPGraph::clipRect();
        const QRectF inside = QRectF(frame).adjusted(-1, -1, 1, 1); // a point on a side, rounded
        QVector<QPointF> shown;
        std::copy_if(scatters.begin(), scatters.end(), std::back_inserter(shown), [&](const QPointF& point) { return inside.contains(point); });
        const int beyond = qCeil(style.size() / 2 + std::max(style.pen().widthF(), 1.0));
        painter->save();
        painter->setClipRect(frame.adjusted(-beyond, -beyond, beyond, beyond));
        QCPGraph::drawScatterPlot(painter, shown, style);
        painter->restore();
    }
};

/// Error bars with whole caps at the left and the right side of the frame. Drawn over the axes.
class WholeErrorBars : public QCPErrorBars {
public:
    explicit WholeErrorBars(QCustomPlot& plot) : QCPErrorBars(plot.xAxis, plot.yAxis) { setLayer(QStringLiteral("legend")); }

protected:
    QRect clipRect() const override {
        const int beyond = qCeil(whiskerWidth() / 2 + pen().widthF());
        return QCPErrorBars::clipRect().adjusted(-beyond, 0, beyond, 0);
    }
};

} // namespace headroom::widgets
