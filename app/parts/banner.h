// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace headroom::app {

/// A sentence in the panel that it concerns, with what to do about it: what happened in semi-bold, numbers and
/// what is safe in plain text, buttons, and a cross to dismiss it. Never modal. Window's thread.
class Banner : public QWidget {
    Q_OBJECT

public:
    enum class Kind { Error, Warning };

    explicit Banner(QWidget* parent = nullptr);
    /// Shows the banner without buttons; add them afterwards. Replaces what stood there.
    void say(Kind kind, const QString& what, const QString& more = {});
    QPushButton* addButton(const QString& text, const QString& iconName = {});
    QString text() const;

Q_SIGNALS:
    void dismissed(); ///< by its cross

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Kind m_kind = Kind::Error;
    QLabel* m_icon;
    QLabel* m_text;
    QHBoxLayout* m_buttons;
    QString m_what, m_more;
};

} // namespace headroom::app
