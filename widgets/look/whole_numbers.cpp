// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/whole_numbers.h"

#include "widgets/look/sizes.h"

#include <QAbstractItemView>
#include <QStyle>

namespace headroom::widgets {

void WholeNumbersDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
    const int edge = view ? view->viewport()->width() : option.rect.right();
    const int most = static_cast<int>(Sizes::unit() / 2); // of the cell's padding
    if (index.data(m_role).typeId() != QMetaType::Double || (option.rect.right() <= edge + most && option.rect.left() >= -most))
        return QStyledItemDelegate::paint(painter, option, index);
    QStyleOptionViewItem cut = option;
    initStyleOption(&cut, index);
    cut.text = QChar(0x2026);
    cut.displayAlignment = Qt::AlignVCenter | (option.rect.left() < 0 ? Qt::AlignRight : Qt::AlignLeft);
    view->style()->drawControl(QStyle::CE_ItemViewItem, &cut, painter, view);
}

} // namespace headroom::widgets
