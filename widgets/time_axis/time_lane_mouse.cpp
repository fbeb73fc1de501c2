// SPDX-License-Identifier: GPL-3.0-or-later
// What a hand does to a lane; the painting half of the class is in time_lane.cpp.
#include "widgets/time_axis/time_lane.h"

#include "widgets/look/sizes.h"
#include "widgets/time_axis/snapping.h"

#include <cmath>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

namespace headroom::widgets {

namespace {

constexpr double kZoomPerNotch = 1.25;
constexpr double kScrollPerNotch = 0.12; ///< of what is visible

double dragThreshold() {
    return Sizes::unit() / 2;
}
double snapReach() {
    return 0.75 * Sizes::unit();
} // 6 px

} // namespace

void TimeLane::wheelEvent(QWheelEvent* event) {
    if (!hasSound()) {
        event->ignore();
        return;
    }
    // A tilted wheel or a touchpad moves sideways; some platforms turn Shift + wheel into that, which scrolls along the time here.
    const QPoint delta = event->angleDelta();
    const double notches = (std::abs(delta.y()) >= std::abs(delta.x()) ? delta.y() : delta.x()) / 120.0;
    if (event->modifiers() & Qt::ControlModifier)
        m_axis->zoom(std::pow(kZoomPerNotch, notches), timeAt(event->position().x()));
    else
        m_axis->scroll(m_axis->visible().length() * (-notches * kScrollPerNotch));
    m_axis->setPointer(timeAt(event->position().x()));
    event->accept();
}

std::optional<Seconds> TimeLane::selectionBoundAt(double x) const {
    const auto selection = m_axis ? m_axis->selection() : std::nullopt;
    if (!selection || !dragSelects())
        return std::nullopt;
    const double reach = snapReach();
    const double toStart = std::abs(xOf(selection->start) - x), toEnd = std::abs(xOf(selection->end) - x);
    if (toStart > reach && toEnd > reach)
        return std::nullopt;
    return toStart < toEnd ? selection->end : selection->start;
}

Seconds TimeLane::snapped(Seconds time) const {
    return m_axis ? nearestBound(m_axis->snapBounds(), time, timeAt(snapReach()) - timeAt(0)) : time;
}

Seconds TimeLane::snappedUnlessFree(Seconds time, Qt::KeyboardModifiers modifiers) const {
    return modifiers & Qt::AltModifier ? time : snapped(time);
}

void TimeLane::mousePressEvent(QMouseEvent* event) {
    if (!hasSound()) {
        event->ignore();
        return;
    }
    if (event->button() == Qt::MiddleButton) {
        m_panFrom = event->position().x();
        setCursor(Qt::ClosedHandCursor);
    } else if (event->button() == Qt::LeftButton) {
        m_pressedAt = event->position();
        m_selectionBefore = m_axis->selection();
        m_movedBound = selectionBoundAt(event->position().x());
    } else {
        event->ignore();
    }
}

void TimeLane::mouseMoveEvent(QMouseEvent* event) {
    if (!hasSound())
        return;
    const double x = event->position().x();
    if (m_panFrom) {
        m_axis->scroll(timeAt(*m_panFrom) - timeAt(x));
        m_panFrom = x;
    }
    const Seconds here = timeAt(x);
    if (plotRect().contains(event->position()) || m_pressedAt)
        m_axis->setPointer(here);
    else
        m_axis->setPointer(std::nullopt);

    if (m_pressedAt && dragSelects()) {
        if (!m_dragStart && std::abs(x - m_pressedAt->x()) >= dragThreshold())
            m_dragStart =
                m_movedBound.value_or(snappedUnlessFree(timeAt(m_pressedAt->x()), event->modifiers()));
        if (m_dragStart)
            m_axis->setSelection(TimeSpan{*m_dragStart, snappedUnlessFree(here, event->modifiers())});
    }
    if (!m_panFrom) {
        const bool onBound = (m_pressedAt && m_movedBound) || (!m_pressedAt && selectionBoundAt(x));
        if (onBound)
            setCursor(Qt::SizeHorCursor);
        else
            unsetCursor();
    }
}

void TimeLane::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::MiddleButton) {
        m_panFrom.reset();
        unsetCursor();
        return;
    }
    if (event->button() != Qt::LeftButton || !m_pressedAt)
        return;
    const bool wasClick = !m_dragStart;
    m_pressedAt.reset();
    m_dragStart.reset();
    m_movedBound.reset();
    if (!wasClick || !hasSound())
        return;
    const Seconds time = cursorFor(timeAt(event->position().x()));
    const auto selection = m_axis->selection();
    if (dragSelects() && selection && (time < selection->start || time > selection->end))
        m_axis->setSelection(std::nullopt);
    m_axis->setCursor(time);
}

void TimeLane::leaveEvent(QEvent* event) {
    if (m_axis && !m_pressedAt)
        m_axis->setPointer(std::nullopt);
    QWidget::leaveEvent(event);
}

bool TimeLane::event(QEvent* event) {
    // While something is dragged Esc is ours, not a shortcut's of the window.
    if (event->type() == QEvent::ShortcutOverride && m_pressedAt &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return QWidget::event(event);
}

void TimeLane::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && m_pressedAt) {
        if (m_axis)
            m_axis->setSelection(m_selectionBefore);
        m_pressedAt.reset();
        m_dragStart.reset();
        m_movedBound.reset();
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace headroom::widgets
