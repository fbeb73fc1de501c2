// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QAbstractButton;
class QDialog;
class QMenu;
class QMenuBar;
class QWidget;

namespace headroom::app {

/// While this menu or one of its submenus is open, each of its items has a letter of its own underlined, which chooses it. The texts of the
/// actions are as they were afterwards: they stand elsewhere, too.
void giveAccessKeys(QMenu* menu);

/// A name for the text of an action, where one "&" marks a letter: "R&D" becomes "R&&D".
QString asActionText(QString name);
/// The text of an action without that: "&Open R&&D" becomes "Open R&D".
QString withoutAccessKey(const QString& text);

/// The same text with "&" before a letter or digit that `taken` does not have, which it has then; the first of a word where there is one.
/// Unchanged where all are taken.
QString withAccessKey(const QString& text, QString& taken);

/// Gives the fields of a dialogue, by their labels, and its buttons a letter each, which with Alt goes to them. A button whose text has an
/// "&" keeps its letter; the default button chooses first, then Cancel and Close. `FieldKeys` does so when a dialogue is shown.
void giveAccessKeys(QDialog* dialog);
/// For a button whose text changes: a letter again, if it had one.
void setTextWithKey(QAbstractButton* button, const QString& text);
/// The fields of a form that stands in the window, beside its menus: those have theirs already.
void giveAccessKeys(QWidget* form, const QMenuBar* menus);

} // namespace headroom::app
