// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/on_screen.h"

#include <QDialog>
#include <QMainWindow>
#include <QResizeEvent>
#include <QScreen>
#include <QTimer>

#include <algorithm>

namespace headroom::app {

namespace {

constexpr int kPlacedMilliseconds = 500; // by then a busy desktop, too, has put a new window into its frame

void moveOntoScreen(QWidget* window) {
    if (!window->isVisible() || window->isMaximized() || window->isFullScreen())
        return;
    const QRect room = window->screen()->availableGeometry(), frame = window->frameGeometry();
    // The upper left corner stays in sight where not all of it can.
    const QPoint wanted(std::max(room.left(), std::min(frame.left(), room.right() - frame.width() + 1)),
                        std::max(room.top(), std::min(frame.top(), room.bottom() - frame.height() + 1)));
    if (wanted != frame.topLeft())
        window->move(wanted);
}

} // namespace

bool OnScreen::eventFilter(QObject* object, QEvent* event) {
    // A window that grows while the desktop puts it into its frame ends up at the corner of the screen, its title bar beyond the edge.
    if (event->type() == QEvent::Show && !event->spontaneous() && qobject_cast<QDialog*>(object)) {
        auto* dialog = static_cast<QWidget*>(object);
        if (dialog->isWindow())
            QTimer::singleShot(kPlacedMilliseconds, dialog, [dialog] { moveOntoScreen(dialog); });
        return false;
    }
    // Spontaneous: the user dragged an edge, or the desktop arranged its windows.
    if (event->type() != QEvent::Resize || event->spontaneous() || !object->isWidgetType())
        return false;
    auto* window = static_cast<QWidget*>(object);
    const auto* resized = static_cast<QResizeEvent*>(event);
    if (window->isWindow() && window->isVisible() && (qobject_cast<QDialog*>(window) || qobject_cast<QMainWindow*>(window)) &&
        (resized->size().width() > resized->oldSize().width() || resized->size().height() > resized->oldSize().height()))
        QTimer::singleShot(0, window, [window] { moveOntoScreen(window); }); // several layouts may follow
    return false;
}

} // namespace headroom::app
