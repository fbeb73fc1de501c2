// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace headroom::widgets {

/// Whether the edge of a table's viewport, `edge` pixels wide, cuts a column here of which there is room for the whole.
bool isCutColumn(const QRect& column, int edge);

/// A number that the edge of a table would cut reads as another one: "0.8" of 0.846, and "…" in every row as numbers that are
/// lost. It is there when the column is whole; TableHeads leaves out the head until then. Where a column is most of the table,
/// a cut one waits as "…". Numbers are the cells that have a double under `role`.
class WholeNumbersDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    explicit WholeNumbersDelegate(int role, QObject* parent = nullptr) : QStyledItemDelegate(parent), m_role(role) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    int m_role;
};

} // namespace headroom::widgets
