// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;

namespace headroom::widgets {
class StudyTableView;
}

namespace headroom::app {

class FlowLayout;

/// The choosers over a tab's numbers: in one row, or in several where the tab is narrow, so that each of them is
/// whole. Window's thread.
class TabHead : public QWidget {
    Q_OBJECT

public:
    enum class Spacing { Usual, Tight };
    explicit TabHead(QWidget* parent, Spacing spacing = Spacing::Usual);
    void add(QWidget* widget); ///< takes it over; null: nothing
    void addStretch(); ///< what is added from here on stands at the right end of its row

private:
    FlowLayout* m_layout;
};

/// A field whose words filter the rows of a table. Its placeholder says by which column, and its tool tip
/// by which ones, unless it is given a text.
QLineEdit* tableFilter(widgets::StudyTableView* table, QWidget* parent, const QString& placeholder = {});

/// A sentence in the middle of a tab that has nothing to show.
QLabel* emptyPage(QWidget* parent);

} // namespace headroom::app
