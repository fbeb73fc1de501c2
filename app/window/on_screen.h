// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace headroom::app {

/// Moves a window that has grown beyond the lower or right edge of its screen back onto it, with what grew: buttons stand at the lower
/// end of a dialogue. Likewise a dialogue that has just been shown. Where the user moves a window it stays. One event filter for the
/// application; window's thread.
class OnScreen : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject* object, QEvent* event) override;
};

} // namespace headroom::app
