// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace headroom::widgets {

/// Whether an edge of the room in which a table shows a column, pixels `from` to `to`, cuts it here although there is room for the whole.
bool isCutColumn(const QRect& column, int from, int to);

/// Shows no number that the edge of a table would cut, because "0.8" of 0.846 reads as another number. Such cells are empty until the
/// whole column is in sight, and so is their head (TableHeads). In a column wider than half the table they are "…". Numbers are the cells that have a double under `role`.
class WholeNumbersDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    explicit WholeNumbersDelegate(int role, QObject* parent = nullptr) : QStyledItemDelegate(parent), m_role(role) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    int m_role;
};

} // namespace headroom::widgets
