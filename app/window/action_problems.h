// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>

class QWidget;

namespace headroom::app {

class Messages;

/// No action may seem to do nothing: one whose work ends in an error or a warning, said again or not, has Messages shown. For the
/// actions that `window` has when this is made, after their work is connected; what comes later from a worker is not part of it.
/// Window's thread.
class ActionProblems : public QObject {
    Q_OBJECT

public:
    /// Both borrowed. `show` brings Messages to the front.
    ActionProblems(QWidget* window, const Messages* messages, std::function<void()> show);

private:
    bool m_said = false; ///< in this turn of the event loop
};

} // namespace headroom::app
