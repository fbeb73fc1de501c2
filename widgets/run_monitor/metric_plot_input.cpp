// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run_monitor/metric_plot_private.h"

#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

/// A place of this widget in the plot, which stands a little inside it.
QPointF MetricPlot::inPlot(QPointF place) const {
    return place - m->plot->pos();
}

void MetricPlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        m->dragFrom = m->plot->xAxis->pixelToCoord(inPlot(event->position()).x());
}

void MetricPlot::mouseMoveEvent(QMouseEvent* event) {
    const double x = m->plot->xAxis->pixelToCoord(inPlot(event->position()).x());
    if (m->dragFrom && event->buttons().testFlag(Qt::LeftButton)) {
        auto [from, to] = visibleSpan();
        const double by =
            std::clamp(*m->dragFrom - x, m->first - from, std::max(m->last - to, m->first - from));
        if (by != 0 && m->span) {
            setVisibleSpan(std::pair{from + by, to + by});
            Q_EMIT spanChanged(m->span);
        }
        return;
    }
    const bool inside = m->plot->axisRect()->rect().contains(inPlot(event->position()).toPoint());
    const std::optional<double> at = inside && !m->prepared.empty() ? std::optional(x) : std::nullopt;
    setCursor(at);
    Q_EMIT cursorMoved(at);
}

void MetricPlot::mouseReleaseEvent(QMouseEvent*) {
    m->dragFrom.reset();
}

void MetricPlot::mouseDoubleClickEvent(QMouseEvent*) {
    setVisibleSpan(std::nullopt);
    Q_EMIT spanChanged(m->span);
}

void MetricPlot::wheelEvent(QWheelEvent* event) {
    const double steps = event->angleDelta().y() / 120.0;
    if (steps == 0 || m->prepared.empty())
        return event->ignore();
    const auto [from, to] = visibleSpan();
    const double at = std::clamp(m->plot->xAxis->pixelToCoord(inPlot(event->position()).x()), from, to);
    const double factor = std::pow(0.8, steps), least = (m->last - m->first) / 1000;
    double left = std::max(at - (at - from) * factor, m->first),
           right = std::min(at + (to - at) * factor, m->last);
    if (right - left < least)
        return event->accept();
    if (left <= m->first && right >= m->last)
        setVisibleSpan(std::nullopt);
    else
        setVisibleSpan(std::pair{left, right});
    Q_EMIT spanChanged(m->span);
    event->accept();
}

void MetricPlot::leaveEvent(QEvent*) {
    setCursor(std::nullopt);
    Q_EMIT cursorMoved(std::nullopt);
}

} // namespace headroom::widgets
