// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/field_keys.h"

#include "app/parts/access_keys.h"

#include <QAbstractButton>
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

/// Buttons and choosers, which Space presses or opens.
bool takesSpace(const QObject* watched) {
    return qobject_cast<const QAbstractButton*>(watched) || qobject_cast<const QComboBox*>(watched);
}

bool isByKey(const QFocusEvent& focus) {
    return focus.reason() == Qt::TabFocusReason || focus.reason() == Qt::BacktabFocusReason ||
           focus.reason() == Qt::ShortcutFocusReason;
}

/// The focus left for a list, a menu or another window, and returns from there.
bool comesBack(const QFocusEvent& focus) {
    return focus.reason() == Qt::PopupFocusReason || focus.reason() == Qt::ActiveWindowFocusReason ||
           focus.reason() == Qt::MenuBarFocusReason;
}

bool isTyped(const QKeyEvent& key) {
    return !(key.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier));
}

} // namespace

bool FieldKeys::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Show && !qobject_cast<QFileDialog*>(watched)) // which has those of Qt
        if (auto* dialog = qobject_cast<QDialog*>(watched))
            giveAccessKeys(dialog); // it has all its buttons now
    if (event->type() == QEvent::FocusIn && takesSpace(watched) && isByKey(*static_cast<QFocusEvent*>(event)))
        m_reached = watched;
    if (watched == m_reached && (event->type() == QEvent::MouseButtonPress ||
                                 (event->type() == QEvent::FocusOut && !comesBack(*static_cast<QFocusEvent*>(event)))))
        m_reached = nullptr;
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
    if (key->key() == Qt::Key_Space && watched == m_reached) {
        key->accept();
        return true;
    }
    if (qobject_cast<QComboBox*>(watched) && !key->text().isEmpty() && key->text().at(0).isLetterOrNumber()) {
        key->accept();
        return true;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace headroom::app
