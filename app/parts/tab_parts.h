// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QLineEdit;

namespace headroom::widgets {
class StudyTableView;
}

namespace headroom::app {

/// The row of fields above a tab's numbers. In narrow tabs the fields shrink, not the numbers. Window's thread.
class TabHead : public QWidget {
    Q_OBJECT

public:
    enum class Spacing { Usual, Tight };
    explicit TabHead(QWidget* parent, Spacing spacing = Spacing::Usual);
    void add(QWidget* widget); ///< takes it over; null: nothing
    void addSpace(int pixels);
    void addStretch();

private:
    QHBoxLayout* m_layout;
};

/// A field whose words filter the rows of a table.
QLineEdit* tableFilter(widgets::StudyTableView* table, QWidget* parent);

/// A sentence in the middle of a tab that has nothing to show.
QLabel* emptyPage(QWidget* parent);

} // namespace headroom::app
