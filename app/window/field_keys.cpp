// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/field_keys.h"

#include "app/parts/access_keys.h"

#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QFileDialog>
#include <QKeyEvent>

namespace headroom::app {

namespace {

bool isForTheWindow(const QKeyEvent& key) {
    return key.modifiers() == Qt::ControlModifier &&
           (key.key() == Qt::Key_D || key.key() == Qt::Key_E || key.key() == Qt::Key_K || key.key() == Qt::Key_U);
}

bool isTyped(const QKeyEvent& key) {
    return !(key.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier));
}

} // namespace

bool FieldKeys::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Show && !qobject_cast<QFileDialog*>(watched)) // which has those of Qt
        if (auto* dialog = qobject_cast<QDialog*>(watched))
            giveAccessKeys(dialog); // it has all its buttons now
    if (event->type() != QEvent::ShortcutOverride)
        return QObject::eventFilter(watched, event);
    auto* key = static_cast<QKeyEvent*>(event);
    if (isForTheWindow(*key)) {
        key->ignore(); // a field that is not asked cannot claim it; without a shortcut it gets the key all
                       // the same
        return true;
    }
    if (!isTyped(*key))
        return QObject::eventFilter(watched, event);
    if (QApplication::activePopupWidget() != nullptr) {
        key->accept();
        return false; // the event goes on: with it, the list takes Return
    }
    if (qobject_cast<QComboBox*>(watched) && !key->text().isEmpty() && key->text().at(0).isLetterOrNumber()) {
        key->accept();
        return true;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace headroom::app
