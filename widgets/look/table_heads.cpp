// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/table_heads.h"

#include "widgets/look/sizes.h"
#include "widgets/look/whole_numbers.h"

#include <QAbstractItemView>
#include <QPainter>
#include <QScrollBar>
#include <QStyleOptionHeader>

namespace headroom::widgets {

TableHeads::TableHeads(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
    setSectionsClickable(true); // as QTableView sets its own
    if (auto* table = qobject_cast<QAbstractScrollArea*>(parent)) // a column that becomes whole is painted anew, not moved
        connect(table->horizontalScrollBar(), &QScrollBar::valueChanged, this, [this, table] {
            viewport()->update();
            table->viewport()->update();
        });
}

/// As its numbers are, which stand at the right; in tables that show them cut, the head stays too.
bool TableHeads::isLeftOut(const QRect& rect, int section) const {
    const auto* table = qobject_cast<const QAbstractItemView*>(parent());
    return table && qobject_cast<const WholeNumbersDelegate*>(table->itemDelegate()) && isCutColumn(rect, viewport()->width()) &&
           (model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole).toInt() & Qt::AlignRight) != 0;
}

void TableHeads::paintSection(QPainter* painter, const QRect& rect, int section) const {
    if (isLeftOut(rect, section)) {
        QStyleOptionHeaderV2 empty;
        initStyleOption(&empty);
        empty.rect = rect;
        return style()->drawControl(QStyle::CE_HeaderSection, &empty, painter, this);
    }
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
