// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/screen_area.h"

#include <QEvent>
#include <QScreen>
#include <QScrollBar>
#include <QStyle>

namespace headroom::app {

QSize roomOnScreen(const QWidget* window) {
    const QSize frame = window->isVisible() ? window->frameSize() - window->size()
                                            : QSize(0, window->style()->pixelMetric(QStyle::PM_TitleBarHeight, nullptr, window));
    return window->screen()->availableSize() - frame;
}

ScreenArea::ScreenArea(QWidget* content, QWidget* parent) : QScrollArea(parent) {
    setProperty("onGround", true); // the colour of the window, not of a panel; set first, since the style keeps the rules that it found
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setWidgetResizable(true);
    setWidget(content);
}

void ScreenArea::setAround(const QList<QWidget*>& around, int margins) {
    m_around = around;
    m_margins = margins;
}

QSize ScreenArea::leastOfContent() const {
    return widget()->minimumSizeHint().expandedTo(widget()->minimumSize());
}

QSize ScreenArea::sizeHint() const {
    return widget()->sizeHint();
}

QSize ScreenArea::minimumSizeHint() const {
    QSize room = roomOnScreen(window());
    room.rheight() -= m_margins;
    for (const QWidget* widget : m_around)
        if (!widget->isHidden())
            room.rheight() -= widget->sizeHint().boundedTo(widget->maximumSize()).expandedTo(widget->minimumSize()).height();
    QSize least = leastOfContent();
    if (least.height() > room.height()) // beside the scroll bar
        least.rwidth() += verticalScrollBar()->sizeHint().width();
    return least.boundedTo(room).expandedTo(QScrollArea::minimumSizeHint());
}

/// The content asks for another size.
bool ScreenArea::event(QEvent* event) {
    const bool done = QScrollArea::event(event);
    if (event->type() == QEvent::LayoutRequest)
        updateGeometry();
    return done;
}

} // namespace headroom::app
