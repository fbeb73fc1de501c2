// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/forms/field_wheel.h"

#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QEvent>

namespace headroom::app {

namespace {

class WheelToForm : public QObject {
public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::Wheel)
            return QObject::eventFilter(watched, event);
        event->ignore(); // so that it goes on to the parent
        return true;
    }
};

} // namespace

void leaveWheelToForm(QWidget* field) {
    for (QWidget* control : QList<QWidget*>{field} + field->findChildren<QWidget*>()) {
        if (!qobject_cast<QComboBox*>(control) && !qobject_cast<QAbstractSpinBox*>(control) && !qobject_cast<QAbstractSlider*>(control))
            continue;
        if (control->focusPolicy() == Qt::WheelFocus)
            control->setFocusPolicy(Qt::StrongFocus);
        control->installEventFilter(new WheelToForm(control));
    }
}

} // namespace headroom::app
