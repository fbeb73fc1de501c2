// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/action_problems.h"

#include "app/documents/items/messages.h"

#include <QAction>
#include <QTimer>
#include <QWidget>

namespace headroom::app {

ActionProblems::ActionProblems(QWidget* window, const Messages* messages, std::function<void()> show) : QObject(window) {
    connect(messages, &Messages::posted, this, [this](const Message& message) {
        if (message.severity != Severity::Warning && message.severity != Severity::Error)
            return;
        m_said = true;
        QTimer::singleShot(0, this, [this] { m_said = false; });
    });
    for (const QAction* action : window->findChildren<QAction*>())
        connect(action, &QAction::triggered, this, [this, show] { // the work was connected before
            if (m_said)
                show();
        });
}

} // namespace headroom::app
