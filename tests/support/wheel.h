// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QSlider>
#include <QtTest/qtestspontaneevent.h>
#include <QWheelEvent>

namespace headroom::testing {

/// Turns the wheel by this many notches (up: positive) over the middle of `under`, as the desktop would: Qt passes such an
/// event on to the parents of a widget that ignores it, and one sent by QApplication::sendEvent it does not.
inline void turnWheel(QWidget* under, int notches) {
    const QPointF middle = under->rect().center();
    QWheelEvent event(middle, under->mapToGlobal(middle), {}, {0, 120 * notches}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                      false);
    QSpontaneKeyEvent::setSpontaneous(&event);
    qApp->notify(under, &event);
}

/// The drop-downs, numbers and sliders of a form that can be used now.
inline QList<QWidget*> usableFields(const QWidget* form) {
    QList<QWidget*> fields;
    for (QWidget* one : form->findChildren<QWidget*>())
        if ((qobject_cast<QComboBox*>(one) || qobject_cast<QAbstractSpinBox*>(one) || qobject_cast<QSlider*>(one)) && one->isVisible() &&
            one->isEnabled())
            fields << one;
    return fields;
}

/// What a drop-down, number or slider says.
inline QString valueOf(const QWidget* field) {
    if (const auto* list = qobject_cast<const QComboBox*>(field))
        return QString::number(list->currentIndex());
    if (const auto* slider = qobject_cast<const QSlider*>(field))
        return QString::number(slider->value());
    const auto* number = qobject_cast<const QAbstractSpinBox*>(field);
    return number ? number->text() : QString();
}

} // namespace headroom::testing
