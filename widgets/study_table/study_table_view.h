// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/look/frozen_table.h"
#include "widgets/study_table/study_table_model.h"

#include <vector>

class QSortFilterProxyModel;

namespace headroom::widgets {

/// Shows a study's table. Click a header to sort; filter by words; Ctrl+C copies the selected rows (all if
/// none is) as tab-separated text with headers and full precision, Ctrl+Shift+C as LaTeX; both are in its
/// menu. Window's thread.
class StudyTableView : public FrozenTable {
    Q_OBJECT

public:
    explicit StudyTableView(QWidget* parent = nullptr);

    StudyTableModel* study() const { return m_study; }
    void setTable(StudyTable table);
    void setFilter(const QString& words); ///< shows the rows that they name (RowFilter); empty: all
    int shownRows() const;
    void setLeastRows(int rows); ///< that are in sight at least; 0: as the layout likes
    QSize minimumSizeHint() const override;
    /// Row of the study's table, independent of the sort order; −1: none.
    int currentRow() const;
    void setCurrentRow(int row); ///< emits no signal
    void reveal(int row);        ///< into sight, and where the arrow keys begin, without selecting it; emits no signal
    /// The selected rows (all if there are fewer than `fewest`), in the order shown.
    StudyTable selectedTable(int fewest = 1) const;

Q_SIGNALS:
    void rowChosen(int row);                 ///< became the current one
    void cellActivated(int row, int column); ///< double click or Enter: show the places behind this number
    void cellClicked(int row, int column);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    bool makeCurrent(int row, QItemSelectionModel::SelectionFlags selection);
    void applyMetrics();
    void fitColumns();
    int widthOf(std::size_t column, bool dense, bool whole = false) const; ///< `whole`: of a long name, too
    int distinctWidth(int column, int widest) const;
    void copyText() const;
    void copyLatex() const;

    StudyTableModel* m_study;
    QSortFilterProxyModel* m_sorted;
    struct Width {
        int head, cell, given; ///< pixels: of its texts, without padding; what it has
        int distinct;          ///< in which cut texts can still be told apart, with padding
        bool isText;
    };
    std::vector<Width> m_widths; ///< of the columns
    int m_leastRows = 0;
    bool m_selecting = false;
};

} // namespace headroom::widgets
