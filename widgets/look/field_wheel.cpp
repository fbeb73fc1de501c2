// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/field_wheel.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDial>
#include <QEvent>
#include <QSlider>

namespace headroom::widgets {

namespace {

/// Scroll bars are sliders, too, and theirs the wheel is.
bool isField(const QObject* object) {
    return qobject_cast<const QComboBox*>(object) || qobject_cast<const QAbstractSpinBox*>(object) ||
           qobject_cast<const QSlider*>(object) || qobject_cast<const QDial*>(object);
}

} // namespace

bool FieldWheel::eventFilter(QObject* object, QEvent* event) {
    switch (event->type()) {
    case QEvent::Polish: // before it is first shown
        if (auto* field = qobject_cast<QWidget*>(object); field && field->focusPolicy() == Qt::WheelFocus && isField(field))
            field->setFocusPolicy(Qt::StrongFocus);
        return false;
    case QEvent::Wheel:
        if (!isField(object))
            return false;
        event->ignore(); // so that it goes on to the parent
        return true;
    default:
        return false;
    }
}

} // namespace headroom::widgets
