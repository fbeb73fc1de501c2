// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

class QMenuBar;

namespace headroom::app {

/// The name of the session at the end of the menu bar, elided to what the menus leave: a menu bar that has no room for all of its menus
/// hides some, and its corner would cover the arrow that shows them. Window's thread.
class SessionName : public QLabel {
    Q_OBJECT

public:
    explicit SessionName(QMenuBar* bar);
    void setName(const QString& name);
    QSize sizeHint() const override { return m_size; }
    QSize minimumSizeHint() const override { return m_size; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void take(int width);
    void fit();
    void elide();
    QMenuBar* m_bar;
    QString m_name;
    QSize m_size;
};

} // namespace headroom::app
