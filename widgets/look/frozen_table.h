// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

namespace headroom::widgets {

/// A table of which one column, the one that names the rows, stays in sight however far one scrolls sideways.
/// It stands in its place until it reaches the left edge and stays there, over the columns that go on. It is
/// the same cell for the mouse, the keyboard and screen readers. Where it would take more than half of the
/// table, it is cut to half. Scrolls by pixels; its heads are TableHeads.
class FrozenTable : public QTableView {
    Q_OBJECT

public:
    explicit FrozenTable(QWidget* parent = nullptr);

    void setFrozenColumn(int column); ///< −1: none
    int frozenColumn() const { return m_frozen; }
    /// Where the frozen column ends in the viewport while it lies over others; otherwise 0.
    int frozenEdge() const;
    /// Where the room begins in which a column is seen.
    int roomFrom(int column) const { return column == m_frozen ? 0 : frozenEdge(); }

    QModelIndex indexAt(const QPoint& position) const override;
    QRect visualRect(const QModelIndex& index) const override;
    void scrollTo(const QModelIndex& index, ScrollHint hint = EnsureVisible) override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void paintSentence(const QString& sentence); ///< in the middle of a table without rows, if there is room for all of it
    QRegion visualRegionForSelection(const QItemSelection& selection) const override;

private:
    int m_frozen = -1;
};

/// Where the room begins in which a column of a view is seen: FrozenTable::roomFrom(), 0 in other views.
int roomFrom(const QAbstractItemView& view, int column);

} // namespace headroom::widgets
