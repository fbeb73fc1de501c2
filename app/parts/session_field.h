// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

namespace headroom::app {

/// Marks a field whose text belongs to the session: what was typed into it and not confirmed is taken over before the
/// session is saved. Its owner clears QLineEdit::isModified() when it takes a text.
inline void markAsSessionField(QLineEdit* field) {
    field->setProperty("sessionField", true);
}

inline bool holdsUnconfirmedEdit(const QLineEdit* field) {
    return field->property("sessionField").toBool() && field->isModified();
}

} // namespace headroom::app
