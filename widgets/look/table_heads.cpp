// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/table_heads.h"

#include "widgets/look/sizes.h"

#include <QPainter>
#include <QStyleOptionHeader>

namespace headroom::widgets {

TableHeads::TableHeads(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
    setSectionsClickable(true); // as QTableView sets its own
}

void TableHeads::paintSection(QPainter* painter, const QRect& rect, int section) const {
    if (!isSortIndicatorShown() || section != sortIndicatorSection() || !rect.isValid())
        return QHeaderView::paintSection(painter, rect, section);
    QStyleOptionHeaderV2 option;
    initStyleOption(&option);
    option.rect = rect;
    initStyleOptionForIndex(&option, section);
    const QRect arrow = style()->subElementRect(QStyle::SE_HeaderArrow, &option, this);
    QRect text = style()->subElementRect(QStyle::SE_HeaderLabel, &option, this);
    text.setRight(text.right() - qRound(Sizes::unit())); // as wide as the arrow in the style sheet
    painter->save();
    painter->setClipRect(rect);
    style()->drawControl(QStyle::CE_HeaderSection, &option, painter, this);
    option.rect = text;
    style()->drawControl(QStyle::CE_HeaderLabel, &option, painter, this);
    option.rect = arrow;
    style()->drawPrimitive(QStyle::PE_IndicatorHeaderArrow, &option, painter, this);
    painter->restore();
}

} // namespace headroom::widgets
