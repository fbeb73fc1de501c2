// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QAction;
class QLabel;
class QListView;
class QStackedLayout;
class QVBoxLayout;

namespace headroom::app {

/// A list that says what to do while it is empty: one sentence and one button. Base of the Utterances and
/// Models panels.
class ListPanel : public QWidget {
    Q_OBJECT

public:
    ListPanel(const QString& emptySentence, QAction* emptyAction, const QString& emptyIcon, QWidget* parent);
    QListView* view() const { return m_view; }

protected:
    void setEmpty(bool empty);
    /// Above the list, shown with it.
    void addAboveList(QWidget* widget);
    void resizeEvent(QResizeEvent* event) override;

private:
    QStackedLayout* m_pages;
    QVBoxLayout* m_listLayout;
    QListView* m_view;
};

} // namespace headroom::app
