// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <vector>

class QAction;
class QMenu;
class QTabWidget;
class QToolButton;
class QWidget;

namespace headroom::app {

/// Keeps the tabs of a narrow panel whole: those that do not fit stand in a menu at the end of the bar instead. The
/// current tab always shows. Owns the corner of the bar: other buttons there go through addButton(), because another
/// corner widget would take the place of the menu. Borrows the tab widget; window's thread.
class TabOverflow : public QObject {
    Q_OBJECT

public:
    explicit TabOverflow(QTabWidget* tabs);
    /// The button that lists the tabs that do not fit.
    QToolButton* button() const { return m_button; }
    /// A small icon for an action behind it.
    void addButton(QAction* action);

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void fit();
    int widthOf(int tab) const;
    QTabWidget* m_tabs;
    QWidget* m_corner;
    QToolButton* m_button;
    QMenu* m_menu;
};

} // namespace headroom::app
