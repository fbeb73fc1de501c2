// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>

namespace headroom::widgets {

/// Heads of a table that can be sorted. They end where the numbers below them end; the sorted one ends left of its arrow. Where the
/// edge of the table cuts a column of numbers, its head is empty (WholeNumbersDelegate).
class TableHeads : public QHeaderView {
public:
    explicit TableHeads(QWidget* parent);

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override;

private:
    bool isLeftOut(const QRect& rect, int section) const;
};

} // namespace headroom::widgets
