// SPDX-License-Identifier: GPL-3.0-or-later
// What a hand does to the marker; painting is in diagonality_plot.cpp.
#include "widgets/curves/diagonality_plot_private.h"

#include <qcustomplot.h>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

int DiagonalityPlot::windowAt(double x) const {
    const double exact = m->plot->xAxis->pixelToCoord(x - m->plot->x());
    return std::clamp(2 * static_cast<int>(std::lround((exact - 1) / 2)) + 1, 1, m->largest());
}

void DiagonalityPlot::commit(int window) {
    m->dragged.reset();
    const int old = m->window;
    m->window = window;
    moveMarker();
    if (old != window)
        Q_EMIT windowEdited(old, window);
}

void DiagonalityPlot::dragTo(int window) {
    if (m->dragged == window)
        return;
    m->dragged = window;
    moveMarker();
    Q_EMIT windowDragged(window);
}

void DiagonalityPlot::mousePressEvent(QMouseEvent* event) {
    const QRect frame = m->plot->axisRect()->rect().translated(m->plot->pos());
    for (std::size_t index = 0; index < m->compared.size() && event->button() == Qt::LeftButton; ++index)
        if (keyRect(static_cast<int>(index)).contains(event->position().toPoint()))
            return Q_EMIT comparedChosen(static_cast<int>(index));
    if (event->button() != Qt::LeftButton || m->profile.empty() ||
        !frame.contains(event->position().toPoint())) {
        event->ignore();
        return;
    }
    dragTo(windowAt(event->position().x()));
}

void DiagonalityPlot::mouseMoveEvent(QMouseEvent* event) {
    if (m->dragged)
        dragTo(windowAt(event->position().x()));
}

void DiagonalityPlot::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && m->dragged)
        commit(*m->dragged);
}

void DiagonalityPlot::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && m->dragged) {
        m->dragged.reset();
        moveMarker();
        Q_EMIT windowDragged(m->window);
        return;
    }
    if (m->profile.empty() || m->dragged)
        return QWidget::keyPressEvent(event);
    if (const int number = event->key() - Qt::Key_1; event->modifiers() == Qt::NoModifier && number >= 0 &&
                                                     number < static_cast<int>(m->compared.size()) &&
                                                     number < 9)
        return Q_EMIT comparedChosen(number);
    const int amount = event->modifiers().testFlag(Qt::ShiftModifier) ? 10 : 2;
    const int from = m->window > 0 ? m->window : m->largest();
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Right:
    case Qt::Key_BracketRight:
    case Qt::Key_BraceRight:
        return commit(std::min(from + amount, m->largest()));
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_BracketLeft:
    case Qt::Key_BraceLeft:
        return commit(std::max(from - amount, 1));
    case Qt::Key_Home:
        return commit(1);
    case Qt::Key_End:
        return commit(0);
    default:
        QWidget::keyPressEvent(event);
    }
}

bool DiagonalityPlot::event(QEvent* event) {
    // While a marker is dragged Esc is ours, not a shortcut's of the window.
    if (event->type() == QEvent::ShortcutOverride && m->dragged &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    // The tip is of the whole plot. Over the curves it would hide what the pointer is at.
    if (event->type() == QEvent::ToolTip &&
        m->plot->axisRect()->rect().translated(m->plot->pos()).contains(static_cast<QHelpEvent*>(event)->pos())) {
        QToolTip::hideText();
        return true;
    }
    return PlotFrame::event(event);
}

} // namespace headroom::widgets
