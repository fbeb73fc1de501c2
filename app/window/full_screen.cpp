// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/full_screen.h"

#include <QAction>
#include <QEvent>
#include <QWidget>

namespace headroom::app {

namespace {

class FullScreenMark : public QObject {
public:
    FullScreenMark(QAction* action, QWidget* window) : QObject(window), m_action(action) {}

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::WindowStateChange)
            m_action->setChecked(static_cast<QWidget*>(watched)->isFullScreen());
        return QObject::eventFilter(watched, event);
    }

private:
    QAction* m_action;
};

} // namespace

void connectFullScreen(QAction* action, QWidget* window) {
    window->installEventFilter(new FullScreenMark(action, window));
    QObject::connect(action, &QAction::triggered, window, [window] {
        window->setWindowState(window->windowState() ^ Qt::WindowFullScreen); // a maximised window is maximised again afterwards
    });
}

} // namespace headroom::app
