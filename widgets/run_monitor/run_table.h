// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/look/frozen_table.h"
#include "widgets/run_monitor/run_table_model.h"

class QSortFilterProxyModel;

namespace headroom::widgets {

/// The table of experiments. Click a header to sort; search by words; tick to compare (Space ticks the
/// current row); Ctrl+C and Ctrl+Shift+C copy. Window's thread only.
class RunTable : public FrozenTable {
    Q_OBJECT

public:
    explicit RunTable(QWidget* parent = nullptr);

    RunTableModel* runs() const { return m_runs; }
    /// Shows rows that contain every word of `text` in name, recipe, data or state; empty: all.
    void setSearch(const QString& text);
    /// Why a seventh experiment cannot be ticked; it is also shown at its row.
    static QString comparisonFullText();
    int shownRows() const;
    int shownRuns() const;      ///< the seeds of all shown rows
    QString currentKey() const; ///< empty: none
    void setCurrentKey(const QString& key);
    QStringList selectedKeys() const;
    /// Scrolls to Δ and p, of which a narrow panel shows nothing at first.
    void showComparison();
    QString asText() const;  ///< the selected rows, all if none is; full precision, deviations and splits in columns of their own
    QString asLatex() const; ///< the same as printed
    /// Shown while there is no run; another sentence says that a search found none.
    void setEmptySentence(const QString& sentence);
    const QString& emptySentence() const { return m_emptySentence; }

Q_SIGNALS:
    void currentChosen(const QString& key);
    void opened(const QString& key); ///< Enter or double click
    void rowPressed(const QString& key); ///< with any button, also the row that is chosen already; not its tick

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void showChosen();
    void hideIdleColumns();
    void explainFullComparison(const QString& key);
    void fitColumns();
    void fitName();
    QString keyAt(const QModelIndex& index) const;
    void applyMetrics();

    RunTableModel* m_runs;
    QSortFilterProxyModel* m_sorted;
    QString m_emptySentence;
    QString m_chosen;       ///< key of the row that was chosen, also while a search leaves it out; empty: none
    int m_leastName = 0, m_nameHint = 0, m_nameWidth = 0; ///< of the column of names, pixels; the last as we made it last
    bool m_leaving = false; ///< rows leave, which chooses nothing
};

} // namespace headroom::widgets
