// SPDX-License-Identifier: GPL-3.0-or-later
// What a hand does to the map; painting is in matrix_view_paint.cpp.
#include "widgets/look/sizes.h"
#include "widgets/matrix/matrix_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

void LayerMatrixView::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        m_pressed = mapRect().contains(event->position()) && m_map;
        return;
    }
    if (event->button() == Qt::MiddleButton && !m_linked)
        m_panFromY = event->position().y();
    TimeLane::mousePressEvent(event);
}

void LayerMatrixView::mouseMoveEvent(QMouseEvent* event) {
    const QPointF at = event->position();
    if (m_panFromY && event->buttons().testFlag(Qt::MiddleButton)) {
        const auto where = mapping();
        const Seconds by = where.queryAt(*m_panFromY) - where.queryAt(at.y());
        setVisibleQueries({where.queries.start + by, where.queries.end + by});
        m_panFromY = at.y();
    }
    TimeLane::mouseMoveEvent(event);
    QString word; // beside the rows, where a long one is elided
    if (m_map && hasSound() && at.x() < mapping().plot.left()) {
        const Seconds time = mapping().queryAt(at.y());
        for (const auto& one : m_words)
            if (time >= one.start && time < one.end)
                word = one.label.empty() ? tr("silence") : QString::fromStdString(one.label);
    }
    setToolTip(word);
    readAt(at);
}

void LayerMatrixView::readAt(QPointF at) {
    if (!axis() || !m_map || !mapRect().contains(at)) {
        if (axis())
            axis()->setPointer(std::nullopt);
        hideReadout();
        return;
    }
    const auto where = mapping();
    const auto query = tokenUnderTime(where.queryAt(at.y())), key = tokenUnderTime(where.keyAt(at.x()));
    axis()->setPointer(key ? shownClock().cellCentre(*key) : where.keyAt(at.x()));
    if (!query || !key) {
        hideReadout();
        m_readAt = at;
        Q_EMIT left();
        return;
    }
    if (!m_band->isHovered()) // a tag would cover what is grasped
        showReadout(at, *query, *key);
    m_readAt = at;
    Q_EMIT hovered(shownClock().cellCentre(*query), shownClock().cellCentre(*key));
}

void LayerMatrixView::followReadout() {
    if (m_readAt)
        readAt(*m_readAt);
    else
        hideReadout(); // one that was opened by key: its token is elsewhere now
}

void LayerMatrixView::mouseReleaseEvent(QMouseEvent* event) {
    m_panFromY.reset();
    if (event->button() != Qt::LeftButton) {
        TimeLane::mouseReleaseEvent(event);
        return;
    }
    if (!std::exchange(m_pressed, false) || !axis() || !mapRect().contains(event->position()))
        return;
    const Seconds time = mapping().queryAt(event->position().y());
    const auto query = tokenUnderTime(time);
    axis()->setCursor(query ? shownClock().cellCentre(*query) : time);
}

void LayerMatrixView::wheelEvent(QWheelEvent* event) {
    const auto where = mapping();
    if (m_linked || where.empty() || event->modifiers().testFlag(Qt::ShiftModifier)) {
        TimeLane::wheelEvent(event);
        return;
    }
    const double notches = event->angleDelta().y() / 120.0;
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        const double factor = std::pow(1.25, notches);
        const Seconds around = where.queryAt(event->position().y());
        setVisibleQueries({around - (around - where.queries.start) / factor,
                           around + (where.queries.end - around) / factor});
        TimeLane::wheelEvent(event); // zooms the keys at the pointer
        return;
    }
    // With axes of their own, the wheel scrolls what it points along: queries downwards, keys sideways.
    if (event->angleDelta().y() == 0) {
        TimeLane::wheelEvent(event);
        return;
    }
    const Seconds by = where.queries.length() * (-0.12 * notches);
    setVisibleQueries({where.queries.start + by, where.queries.end + by});
    event->accept();
}

void LayerMatrixView::leaveEvent(QEvent* event) {
    hideReadout();
    TimeLane::leaveEvent(event);
    Q_EMIT left();
}

void LayerMatrixView::moveCursorTo(std::int64_t token) {
    const auto count = static_cast<std::int64_t>(shown().rows());
    const Seconds centre = shownClock().cellCentre(Tokens(std::clamp<std::int64_t>(token, 0, count - 1)));
    axis()->setCursor(centre);
    axis()->reveal(centre);
}

void LayerMatrixView::moveCursorByWord(int direction) {
    const Seconds now = axis()->cursor().value_or(Seconds(0));
    std::optional<Seconds> target;
    for (const auto& word : m_words) {
        const Seconds start = shownClock().cellCentre(*tokenAt(word.start + shownClock().step() / 2));
        if (direction > 0 && start > now && (!target || start < *target))
            target = start;
        if (direction < 0 && start < now && (!target || start > *target))
            target = start;
    }
    if (target)
        moveCursorTo(tokenAt(*target)->value());
}

void LayerMatrixView::movePointerBy(int tokens) {
    const auto from = axis()->pointer() ? tokenAt(*axis()->pointer()) : cursorToken();
    const auto query = cursorToken();
    if (!from || !query)
        return;
    const auto count = static_cast<std::int64_t>(shown().rows());
    const Tokens key(std::clamp<std::int64_t>(from->value() + tokens, 0, count - 1));
    axis()->setPointer(shownClock().cellCentre(key));
    axis()->reveal(shownClock().cellCentre(key));
    m_readAt.reset();
    const auto where = mapping();
    showReadout({where.xOf(shownClock().cellCentre(key)), where.yOf(shownClock().cellCentre(*query))}, *query, key);
    Q_EMIT hovered(shownClock().cellCentre(*query), shownClock().cellCentre(key));
}

void LayerMatrixView::keyPressEvent(QKeyEvent* event) {
    if (!m_map || !axis()) {
        TimeLane::keyPressEvent(event);
        return;
    }
    const auto token =
        (axis()->cursor() ? tokenAt(*axis()->cursor()) : std::nullopt).value_or(Tokens(0)).value();
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    const bool byWord = event->modifiers().testFlag(Qt::ControlModifier);
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const int direction = event->key() == Qt::Key_Right ? 1 : -1;
        if (byWord)
            return moveCursorByWord(direction);
        return shift ? movePointerBy(direction) : moveCursorTo(token + direction);
    }
    case Qt::Key_Up:
        return moveCursorTo(token - 1);
    case Qt::Key_Down:
        return moveCursorTo(token + 1);
    case Qt::Key_Home:
        return moveCursorTo(0);
    case Qt::Key_End:
        return moveCursorTo(static_cast<std::int64_t>(shown().rows()) - 1);
    case Qt::Key_W:
        if (event->modifiers() == Qt::NoModifier)
            return m_band->setFocus(Qt::ShortcutFocusReason);
        [[fallthrough]];
    default:
        TimeLane::keyPressEvent(event);
    }
}

void LayerMatrixView::resizeEvent(QResizeEvent* event) {
    TimeLane::resizeEvent(event);
    if (m_readAt) { // another panel has moved the map away under a mouse that stays where it is
        if (axis())
            axis()->setPointer(std::nullopt);
        hideReadout();
        Q_EMIT left();
    }
    followCursor();
    layOut();
}

void LayerMatrixView::changeEvent(QEvent* event) {
    TimeLane::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        recolour();
        layOut();
    }
}

} // namespace headroom::widgets
