// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/availability.h"

#include <QAction>
#include <QComboBox>
#include <QMouseEvent>
#include <QStandardItemModel>
#include <QToolButton>
#include <QToolTip>
#include <QWidget>

namespace headroom::app {

namespace {

constexpr const char* kReason = "whyNot";
constexpr const char* kOwnTip = "ownToolTip"; ///< while the tool tip is the reason
constexpr int kShownFor = 10000;              ///< ms, or until the mouse leaves

template <typename Control>
void setAvailableNow(Control* control, const QString& whyNot) {
    const QVariant kept = control->property(kOwnTip);
    const QString own = kept.isValid() ? kept.toString() : control->toolTip();
    control->setProperty(kReason, whyNot);
    control->setProperty(kOwnTip, whyNot.isEmpty() ? QVariant() : QVariant(own));
    control->setToolTip(whyNot.isEmpty() ? own : whyNot);
    control->setEnabled(whyNot.isEmpty());
}

} // namespace

void setAvailable(QAction* action, const QString& whyNot) {
    setAvailableNow(action, whyNot);
}

void setAvailable(QWidget* control, const QString& whyNot) {
    setAvailableNow(control, whyNot);
}

void setAvailable(QComboBox* field, int row, const QString& whyNot, const QString& toolTip) {
    QStandardItem* item = qobject_cast<QStandardItemModel*>(field->model())->item(row);
    item->setEnabled(whyNot.isEmpty());
    item->setToolTip(whyNot.isEmpty() ? toolTip : whyNot);
}

void setReason(QAction* action, const QString& whyNot) {
    action->setProperty(kReason, whyNot);
}

void copyReason(const QAction* action, QWidget* button) {
    button->setProperty(kReason, action->property(kReason));
}

void sayWhy(const QString& whyNot, QWidget* widget, const QRect& place) {
    QToolTip::showText(widget->mapToGlobal(place.bottomLeft()), whyNot, widget, {}, kShownFor);
}

void triggerOrSayWhy(QAction* action, QWidget* widget, const QRect& place) {
    if (action->isEnabled())
        return action->trigger();
    sayWhy(action->property(kReason).toString(), widget, place);
}

QString reasonOf(const QWidget* control) {
    if (control->isEnabled())
        return {};
    if (const QString own = control->property(kReason).toString(); !own.isEmpty())
        return own;
    const auto* button = qobject_cast<const QToolButton*>(control);
    return button && button->defaultAction() ? button->defaultAction()->property(kReason).toString() : QString();
}

/// Press and release end here: handed on to the parent, the one would start a drag and the other hide the tool tip.
bool DisabledReasons::eventFilter(QObject* object, QEvent* event) {
    if ((event->type() != QEvent::MouseButtonPress && event->type() != QEvent::MouseButtonRelease) ||
        !object->isWidgetType())
        return false;
    auto* control = static_cast<QWidget*>(object);
    const auto* mouse = static_cast<QMouseEvent*>(event);
    const QString reason = mouse->button() == Qt::LeftButton ? reasonOf(control) : QString();
    if (reason.isEmpty())
        return false;
    if (event->type() == QEvent::MouseButtonRelease)
        QToolTip::showText(mouse->globalPosition().toPoint(), reason, control, {}, kShownFor);
    return true;
}

} // namespace headroom::app
