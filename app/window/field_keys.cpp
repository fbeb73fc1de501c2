// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/field_keys.h"

#include <QKeyEvent>

namespace headroom::app {

bool FieldKeys::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride)
        return QObject::eventFilter(watched, event);
    auto* key = static_cast<QKeyEvent*>(event);
    const bool isTaken =
        key->modifiers() == Qt::ControlModifier && (key->key() == Qt::Key_D || key->key() == Qt::Key_E ||
                                                    key->key() == Qt::Key_K || key->key() == Qt::Key_U);
    if (isTaken)
        key->ignore(); // a field that is not asked cannot claim it; without a shortcut it gets the key all
                       // the same
    return isTaken;
}

} // namespace headroom::app
