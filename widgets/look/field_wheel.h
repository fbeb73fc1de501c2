// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace headroom::widgets {

/// Keeps the wheel off drop-downs, numbers and sliders: it scrolls the form around them and changes none of them, with or without the
/// focus, and gives none of them the focus. Where nothing around them scrolls, the wheel does nothing. One event filter for the application,
/// which Theme::apply() installs; window's thread.
class FieldWheel : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject* object, QEvent* event) override;
};

} // namespace headroom::widgets
