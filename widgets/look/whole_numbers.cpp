// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/whole_numbers.h"

#include "widgets/look/frozen_table.h"
#include "widgets/look/sizes.h"

#include <QAbstractItemView>
#include <QStyle>

namespace headroom::widgets {

namespace {

bool isCut(const QRect& column, int from, int to) {
    const int most = static_cast<int>(Sizes::unit() / 2); // of the cell's padding
    return column.right() > to + most || column.left() < from - most;
}

} // namespace

bool isCutColumn(const QRect& column, int from, int to) {
    return isCut(column, from, to) && 2 * column.width() <= to - from;
}

void WholeNumbersDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
    const int from = view ? roomFrom(*view, index.column()) : 0, to = view ? view->viewport()->width() : option.rect.right();
    if (index.data(m_role).typeId() != QMetaType::Double || !isCut(option.rect, from, to))
        return QStyledItemDelegate::paint(painter, option, index);
    QStyleOptionViewItem cut = option;
    initStyleOption(&cut, index);
    cut.text = isCutColumn(option.rect, from, to) ? QString() : QString(QChar(0x2026));
    cut.displayAlignment = Qt::AlignVCenter | (option.rect.left() < from ? Qt::AlignRight : Qt::AlignLeft);
    view->style()->drawControl(QStyle::CE_ItemViewItem, &cut, painter, view);
}

} // namespace headroom::widgets
