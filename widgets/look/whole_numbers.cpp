// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/whole_numbers.h"

#include "widgets/look/eliding.h"
#include "widgets/look/frozen_table.h"
#include "widgets/look/sizes.h"

#include <QAbstractItemView>
#include <QStyle>

namespace headroom::widgets {

QRect partInSight(const QRect& whole, int from, int to, bool isNumber) {
    const int most = static_cast<int>(Sizes::unit() / 2); // of the padding
    QRect part = whole;
    if (isNumber && whole.left() < from - most)
        part.setLeft(from);
    if (whole.right() > to + most)
        part.setRight(to - 1);
    return part;
}

bool hasRoomForText(const QFontMetrics& metrics, int width) {
    return width >= metrics.horizontalAdvance(QChar(0x2026));
}

QRect WholeNumbersDelegate::inSight(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
    const bool isNumber = index.data(m_role).typeId() == QMetaType::Double;
    return view ? partInSight(option.rect, roomFrom(*view, index.column()), view->viewport()->width(), isNumber) : option.rect;
}

void WholeNumbersDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const QRect part = inSight(option, index);
    if (part == option.rect)
        return QStyledItemDelegate::paint(painter, option, index);
    if (part.width() <= 0) // the frozen column covers it
        return;
    QStyleOptionViewItem cut = option;
    cut.rect = part;
    initStyleOption(&cut, index);
    const QStyle* style = option.widget->style();
    const int margin = style->pixelMetric(QStyle::PM_FocusFrameHMargin, &cut, option.widget) + 1; // as Qt leaves it around the text
    const int room = style->subElementRect(QStyle::SE_ItemViewItemText, &cut, option.widget).width() - 2 * margin;
    cut.text = hasRoomForText(cut.fontMetrics, room) ? fitted(cut.text, cut.fontMetrics, room) : QString();
    style->drawControl(QStyle::CE_ItemViewItem, &cut, painter, option.widget);
}

} // namespace headroom::widgets
