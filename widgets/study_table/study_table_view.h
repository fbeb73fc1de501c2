// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/study_table/study_table_model.h"

#include <QTableView>

class QSortFilterProxyModel;

namespace headroom::widgets {

/// A study's table as it is read: sorts by a click on a head, finds by words, Ctrl+C copies the selected rows
/// (all, where none is) as tab-separated text with heads and full precision, Ctrl+Shift+C as LaTeX; both
/// stand in its menu. Window's thread.
class StudyTableView : public QTableView {
    Q_OBJECT

public:
    explicit StudyTableView(QWidget* parent = nullptr);

    StudyTableModel* study() const { return m_study; }
    void setTable(StudyTable table);
    /// Rows that hold every word of it in any cell; empty: all.
    void setFilter(const QString& words);
    int shownRows() const;
    /// Row of the study's table, whatever the order on the screen; −1: none.
    int currentRow() const;
    void setCurrentRow(int row); ///< tells nobody
    /// What is selected (all, where nothing is), in the order on the screen.
    StudyTable selectedTable() const;

Q_SIGNALS:
    void rowChosen(int row);                 ///< became the current one
    void cellActivated(int row, int column); ///< double click or Enter: what is behind this number
    void cellClicked(int row, int column);

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void applyMetrics();
    void copyText() const;
    void copyLatex() const;

    StudyTableModel* m_study;
    QSortFilterProxyModel* m_sorted;
    bool m_selecting = false;
};

} // namespace headroom::widgets
