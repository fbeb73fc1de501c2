// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run_monitor/metric_plot_private.h"

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

namespace {
constexpr double kZoom = 0.8; ///< of the visible span, per notch of the wheel or key
} // namespace

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
    zoomAround(m->plot->xAxis->pixelToCoord(inPlot(event->position()).x()), std::pow(kZoom, steps));
    event->accept();
}

/// Shows `factor` of the span that is visible now; `x` keeps its place.
void MetricPlot::zoomAround(double x, double factor) {
    const auto [from, to] = visibleSpan();
    const double at = std::clamp(x, from, to), least = (m->last - m->first) / 1000;
    const double left = std::max(at - (at - from) * factor, m->first),
                 right = std::min(at + (to - at) * factor, m->last);
    if (right - left < least)
        return;
    if (left <= m->first && right >= m->last)
        setVisibleSpan(std::nullopt);
    else
        setVisibleSpan(std::pair{left, right});
    Q_EMIT spanChanged(m->span);
}

void MetricPlot::moveCursor(std::optional<double> x) {
    setCursor(x);
    if (const auto [from, to] = visibleSpan(); x && (*x < from || *x > to)) { // scrolls along
        const double by = *x < from ? *x - from : *x - to;
        setVisibleSpan(std::pair{from + by, to + by});
        Q_EMIT spanChanged(m->span);
    }
    Q_EMIT cursorMoved(x);
}

void MetricPlot::leaveEvent(QEvent*) {
    setCursor(std::nullopt);
    Q_EMIT cursorMoved(std::nullopt);
}

void MetricPlot::keyPressEvent(QKeyEvent* event) {
    const std::vector<double> places = m->places();
    if (places.empty())
        return PlotFrame::keyPressEvent(event);
    if (event->matches(QKeySequence::Copy))
        return QApplication::clipboard()->setText(tableText());
    const auto last = static_cast<std::ptrdiff_t>(places.size()) - 1;
    const auto now = std::lower_bound(places.begin(), places.end(), m->shownCursor()) - places.begin();
    const std::ptrdiff_t by = event->modifiers().testFlag(Qt::ShiftModifier) ? 10 : 1;
    const auto go = [&](std::ptrdiff_t place) {
        moveCursor(places[static_cast<std::size_t>(std::clamp(place, std::ptrdiff_t(0), last))]);
    };
    switch (event->key()) {
    case Qt::Key_Left:
        return go(now - by);
    case Qt::Key_Right:
        return go(m->cursor ? now + by : last);
    case Qt::Key_Home:
        return go(0);
    case Qt::Key_End:
        return go(last);
    case Qt::Key_Plus:
    case Qt::Key_Equal: // the key of + without Shift
        return zoomAround(m->shownCursor(), kZoom);
    case Qt::Key_Minus:
        return zoomAround(m->shownCursor(), 1 / kZoom);
    case Qt::Key_0:
        setVisibleSpan(std::nullopt);
        Q_EMIT spanChanged(m->span);
        return;
    case Qt::Key_Escape:
        if (m->cursor)
            return moveCursor(std::nullopt);
        [[fallthrough]];
    default:
        PlotFrame::keyPressEvent(event);
    }
}

} // namespace headroom::widgets
