// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

class QAction;

namespace headroom::app {

/// A push button for an action, with its key drawn as a cap: "Open audio… [Ctrl+O]". A button without words shows its
/// icon and the cap; an empty icon name leaves the icon out. Window's thread.
class ActionButton : public QPushButton {
    Q_OBJECT

public:
    enum class Key { Shown, Hidden };
    ActionButton(QAction* action, const QString& iconName, QWidget* parent = nullptr, Key key = Key::Shown);
    /// Draws this key instead of the action's: one that a view takes itself, "F" in the grid of heads.
    void setKeyHint(const QString& key);
    QString keyText() const; ///< what the cap says; empty: there is none
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QAction* m_action;
    QString m_iconName;
    Key m_key;
    QString m_keyHint;
};

} // namespace headroom::app
