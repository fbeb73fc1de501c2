// SPDX-License-Identifier: GPL-3.0-or-later
// What the plot of CAD hears.
#include "widgets/heads/cad_plot_private.h"
#include "widgets/look/number_text.h"
#include "widgets/matrix/map_tag.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

namespace {
constexpr double kHeadReach = 12, kLineReach = 6; ///< pixels at 100 %
constexpr double kStep = 0.01, kLargeStep = 0.05;
} // namespace

std::optional<QPointF> CadPlot::positionOf(HeadId head) const {
    const auto* point = m->find(head);
    if (!point)
        return std::nullopt;
    return QPointF(m->plot->xAxis->coordToPixel(point->x), m->plot->yAxis->coordToPixel(point->head.cad)) +
           m->plot->pos();
}

double CadPlot::splitPosition() const {
    return m->plot->yAxis->coordToPixel(m->split) + m->plot->y();
}

std::optional<HeadId> CadPlot::headAt(QPointF position) const {
    std::optional<HeadId> nearest;
    double least = scaledPixels(kHeadReach);
    for (const auto& point : m->points) {
        const QPointF away = positionOf(point.head.id).value_or(QPointF()) - position;
        const double distance = std::hypot(away.x(), away.y());
        if (distance < least) {
            least = distance;
            nearest = point.head.id;
        }
    }
    return nearest;
}

/// On the line, and on no head that stands on it.
bool CadPlot::isOnSplit(QPointF position) const {
    return std::abs(position.y() - splitPosition()) <= scaledPixels(kLineReach) && !m->points.empty() &&
           m->plot->axisRect()->rect().translated(m->plot->pos()).contains(position.toPoint()) &&
           !headAt(position);
}

void CadPlot::select(HeadId head) {
    if (m->selected == head)
        return;
    setSelected(head);
    Q_EMIT headSelected(head);
}

void CadPlot::step(int by) {
    if (m->points.empty())
        return;
    auto at = std::find_if(m->points.begin(), m->points.end(),
                           [this](const auto& point) { return point.head.id == m->selected; });
    const auto count = std::ptrdiff_t(m->points.size());
    const auto from = at == m->points.end() ? (by > 0 ? -1 : count) : at - m->points.begin();
    select(m->points[std::size_t(std::clamp<std::ptrdiff_t>(from + by, 0, count - 1))].head.id);
}

void CadPlot::changeSplit(double cad) {
    const double before = m->split;
    setSplit(cad);
    if (m->split != before)
        Q_EMIT splitChanged(m->split);
}

bool CadPlot::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && m->dragging) {
        event->accept(); // Esc gives up the drag, not what the worker does
        return true;
    }
    if (event->type() != QEvent::ToolTip)
        return PlotFrame::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto head = headAt(help->pos()))
        QToolTip::showText(help->globalPos(), describe(*head), this);
    else if (isOnSplit(help->pos()))
        QToolTip::showText(
            help->globalPos(),
            tr("Heads below this line are phonetic, the others linguistic: 0.75 in Shim et al. "
               "2022, §4. Drag it, or press ↑ and ↓."),
            this);
    else
        QToolTip::showText(help->globalPos(),
                           tr("CAD: how close to the diagonal a head attends, 1 − E|i − j|/(T − 1); 1 is "
                              "the diagonal alone, 2/3 is uniform. Shim et al. 2022, Eq. 3. Press ← and → "
                              "to move through the heads, Enter to show the places behind one."),
                           this);
    return true;
}

void CadPlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    if (isOnSplit(event->position())) {
        m->dragging = true;
        m->splitBefore = m->split;
        redraw();
        return;
    }
    if (const auto head = headAt(event->position())) {
        select(*head);
        Q_EMIT headActivated(*head);
    }
}

void CadPlot::mouseMoveEvent(QMouseEvent* event) {
    if (m->dragging) {
        const double cad = m->plot->yAxis->pixelToCoord(event->position().y() - m->plot->y());
        changeSplit(std::round(cad / kStep) * kStep);
        return;
    }
    const bool hovered = isOnSplit(event->position());
    setCursor(hovered                     ? Qt::SplitVCursor
              : headAt(event->position()) ? Qt::PointingHandCursor
                                          : Qt::ArrowCursor);
    if (hovered != m->hovered) {
        m->hovered = hovered;
        redraw();
    }
}

void CadPlot::mouseReleaseEvent(QMouseEvent*) {
    if (!m->dragging)
        return;
    m->dragging = false;
    redraw();
}

void CadPlot::keyPressEvent(QKeyEvent* event) {
    const double by = event->modifiers() & Qt::ShiftModifier ? kLargeStep : kStep;
    switch (event->key()) {
    case Qt::Key_Left:
        return step(-1);
    case Qt::Key_Right:
        return step(1);
    case Qt::Key_Home:
        return step(-int(m->points.size()));
    case Qt::Key_End:
        return step(int(m->points.size()));
    case Qt::Key_Up:
        return changeSplit(std::round((m->split + by) * 100) / 100);
    case Qt::Key_Down:
        return changeSplit(std::round((m->split - by) * 100) / 100);
    case Qt::Key_Escape:
        if (m->dragging) {
            m->dragging = false;
            return changeSplit(m->splitBefore);
        }
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m->selected && m->find(*m->selected)) {
            Q_EMIT headActivated(*m->selected);
            return;
        }
        break;
    default:
        break;
    }
    PlotFrame::keyPressEvent(event);
}

} // namespace headroom::widgets
