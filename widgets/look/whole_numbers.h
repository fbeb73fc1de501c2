// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace headroom::widgets {

/// The part of a cell or head that is in sight, where a table shows its columns from pixel `from` to `to`. Numbers are cut at both
/// edges. Words keep their left end, so that one can scroll to the end of a long text. All of it, where only padding is cut.
QRect partInSight(const QRect& whole, int from, int to, bool isNumber);
/// Whether `width` pixels have room for “…”; where they don't, a text is left out.
bool hasRoomForText(const QFontMetrics& metrics, int width);

/// Text that the edge of a table would cut is fitted into the part of its cell that is in sight: words are elided, and a number is whole
/// or “…”, because "0.8" of 0.846 reads as another number. TableHeads does so with the heads. Numbers are the cells that have a double under `role`.
class WholeNumbersDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    explicit WholeNumbersDelegate(int role, QObject* parent = nullptr) : QStyledItemDelegate(parent), m_role(role) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    QRect inSight(const QStyleOptionViewItem& option, const QModelIndex& index) const; ///< the part of the cell; width ≤ 0: none

private:
    int m_role;
};

} // namespace headroom::widgets
