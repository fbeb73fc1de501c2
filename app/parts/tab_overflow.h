// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <vector>

class QMenu;
class QTabWidget;
class QToolButton;

namespace headroom::app {

/// Keeps the tabs of a narrow panel whole: those that do not fit stand in a menu at the end of the bar instead. The
/// current tab always shows. Borrows the tab widget; window's thread.
class TabOverflow : public QObject {
    Q_OBJECT

public:
    explicit TabOverflow(QTabWidget* tabs);
    /// The button that lists the tabs that do not fit; the owner of the tabs places it.
    QToolButton* button() const { return m_button; }

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void fit();
    int widthOf(int tab) const;
    QTabWidget* m_tabs;
    QToolButton* m_button;
    QMenu* m_menu;
};

} // namespace headroom::app
