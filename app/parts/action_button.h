// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

class QAction;

namespace headroom::app {

/// A push button for an action, with its key drawn as a cap: "Open audio… [Ctrl+O]". Window's thread.
class ActionButton : public QPushButton {
    Q_OBJECT

public:
    enum class Key { Shown, Hidden };
    ActionButton(QAction* action, const QString& iconName, QWidget* parent = nullptr, Key key = Key::Shown);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString keyText() const;
    QAction* m_action;
    QString m_iconName;
    Key m_key;
};

} // namespace headroom::app
