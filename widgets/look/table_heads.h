// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>

namespace headroom::widgets {

/// Heads of a table that can be sorted: they end where the numbers below them end, and the sorted one left of its arrow. Over numbers
/// that the edge of the table cuts there is none (WholeNumbersDelegate).
class TableHeads : public QHeaderView {
public:
    explicit TableHeads(QWidget* parent);

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override;

private:
    bool isLeftOut(const QRect& rect, int section) const;
};

} // namespace headroom::widgets
