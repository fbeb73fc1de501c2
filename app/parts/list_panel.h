// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>

#include <utility>

class QAction;
class QLabel;
class QListView;
class QModelIndex;
class QStackedLayout;
class QVBoxLayout;

namespace headroom::app {

class ActionButton;

/// A list that says what to do while it is empty: one sentence and one button. Base of the Utterances and
/// Models panels. Window's thread.
class ListPanel : public QWidget {
    Q_OBJECT

public:
    /// `emptyActions`: what the empty panel offers, each with the name of its icon.
    ListPanel(const QString& emptySentence, const QList<std::pair<QAction*, QString>>& emptyActions,
              QWidget* parent);
    QListView* view() const { return m_view; }

protected:
    void setEmpty(bool empty);
    /// Above the list, shown with it.
    void addAboveList(QWidget* widget);
    /// Makes a row current and brings it into sight, without a signal of the selection. Returns false where it is current already.
    bool makeCurrent(const QModelIndex& index);
    /// From now on, until somebody scrolls, keepInSight() brings the current row back into sight.
    void followCurrent() { m_follows = true; }
    void keepInSight();
    ActionButton* emptyButton(int index) const { return m_buttons[index]; } ///< of the empty panel, from above
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void bringIntoSight(const QModelIndex& index);
    QStackedLayout* m_pages;
    QVBoxLayout* m_listLayout;
    QListView* m_view;
    QList<ActionButton*> m_buttons;
    bool m_follows = true;
    bool m_isPressed = false; ///< a button of the mouse, on the list
};

} // namespace headroom::app
