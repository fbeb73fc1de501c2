// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/screen_area.h"

#include <QEvent>
#include <QScreen>
#include <QScrollBar>
#include <QStyle>
#include <QTimer>

#include <utility>

namespace headroom::app {

namespace {
constexpr int kFramedMilliseconds = 600; // by then a busy desktop, too, has put a new window into its frame
} // namespace

QSize roomOnScreen(const QWidget* window) {
    QSize frame = window->isVisible() ? window->frameSize() - window->size() : QSize(0, 0);
    if (!window->isFullScreen()) // the desktop puts the window into its frame only some time after it is shown
        frame = frame.expandedTo(QSize(0, window->style()->pixelMetric(QStyle::PM_TitleBarHeight, nullptr, window)));
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
    for (QWidget* widget : around)
        widget->installEventFilter(this);
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

/// Layouts remember the least size: they are told when the room that is left is another one.
bool ScreenArea::eventFilter(QObject* object, QEvent* event) {
    const QEvent::Type type = event->type();
    const bool isWindow = object == m_window;
    if (!isWindow && (type == QEvent::ShowToParent || type == QEvent::HideToParent || type == QEvent::LayoutRequest || type == QEvent::Resize))
        updateGeometry();
    if (isWindow && (type == QEvent::Move || type == QEvent::Resize || type == QEvent::WindowStateChange))
        followRoom();
    if (isWindow && type == QEvent::Show)
        QTimer::singleShot(kFramedMilliseconds, this, &ScreenArea::followRoom);
    return QScrollArea::eventFilter(object, event);
}

/// The window has got its frame, or is on another screen.
void ScreenArea::followRoom() {
    const QSize room = m_window ? roomOnScreen(m_window) : m_room;
    if (room == m_room)
        return;
    const QSize before = std::exchange(m_room, room);
    updateGeometry();
    if (m_window->size().boundedTo(before) == m_window->size()) // it had room before
        QTimer::singleShot(0, m_window, [window = m_window] {
            if (!window->isMaximized() && !window->isFullScreen())
                window->resize(window->size().boundedTo(roomOnScreen(window)));
        });
}

void ScreenArea::showEvent(QShowEvent* event) {
    QScrollArea::showEvent(event);
    if (m_window == window())
        return;
    if (m_window)
        m_window->removeEventFilter(this);
    m_window = window();
    m_room = roomOnScreen(m_window);
    m_window->installEventFilter(this);
}

/// The content asks for another size.
bool ScreenArea::event(QEvent* event) {
    const bool done = QScrollArea::event(event);
    if (event->type() == QEvent::LayoutRequest)
        updateGeometry();
    return done;
}

} // namespace headroom::app
