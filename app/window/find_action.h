// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>
#include <QPointer>

class QAction;
class QListView;
class QSortFilterProxyModel;
class QStandardItemModel;

namespace headroom::app {

/// The field that finds every action of the window by its words: type, choose with the arrows, Enter runs it.
/// Ctrl+K.
///
/// Actions that cannot be run now are listed in grey, so that one finds their place and key. Window's thread.
class FindAction : public QLineEdit {
    Q_OBJECT

public:
    explicit FindAction(QWidget* parent = nullptr);
    /// Everything that can be found; borrowed. `section` is the menu it stands in.
    void offer(QAction* action, const QString& section);
    void openList();
    /// Takes the focus, which goes back to where it was before when an action runs or Esc is pressed.
    void ask();
    int matchCount() const;
    bool isListOpen() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override; ///< without the key

protected:
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void runCurrent();
    void closeList();
    void updateIcon();
    QStandardItemModel* m_model;
    QSortFilterProxyModel* m_matches;
    QListView* m_list;
    QAction* m_icon;
    QPointer<QWidget> m_askedFrom;
};

} // namespace headroom::app
