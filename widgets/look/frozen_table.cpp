// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/frozen_table.h"

#include "widgets/look/sizes.h"
#include "widgets/look/table_heads.h"
#include "widgets/look/theme.h"

#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace headroom::widgets {

FrozenTable::FrozenTable(QWidget* parent) : QTableView(parent) {
    setHorizontalHeader(new TableHeads(this)); // which has all of it painted when it is scrolled sideways
    setHorizontalScrollMode(
        ScrollPerPixel); // by columns, some would never come out from under the frozen one
    connect(horizontalHeader(), &QHeaderView::sectionResized, this, [this] {
        if (frozenEdge() > 0) // its end lies elsewhere than Qt thinks
            viewport()->update();
    });
}

void FrozenTable::setFrozenColumn(int column) {
    m_frozen = column;
    viewport()->update();
}

int FrozenTable::frozenEdge() const {
    if (m_frozen < 0 || isColumnHidden(m_frozen))
        return 0;
    const int left = columnViewportPosition(m_frozen), width = columnWidth(m_frozen);
    return left >= 0 ? 0 : std::max(left + width, std::min(width, viewport()->width() / 2));
}

QModelIndex FrozenTable::indexAt(const QPoint& position) const {
    if (position.x() < 0 || position.x() >= frozenEdge())
        return QTableView::indexAt(position);
    const int row = rowAt(position.y());
    return row < 0 ? QModelIndex() : model()->index(row, m_frozen, rootIndex());
}

QRect FrozenTable::visualRect(const QModelIndex& index) const {
    QRect rect = QTableView::visualRect(index);
    if (const int edge = frozenEdge(); edge > 0 && index.column() == m_frozen && rect.isValid()) {
        rect.setLeft(0);
        rect.setWidth(edge);
    }
    return rect;
}

/// The frozen column is in sight already, and others come out from under it.
void FrozenTable::scrollTo(const QModelIndex& index, ScrollHint hint) {
    QScrollBar* bar = horizontalScrollBar();
    const int before = bar->value();
    QTableView::scrollTo(index, hint);
    if (!index.isValid() || m_frozen < 0)
        return;
    if (index.column() == m_frozen)
        return bar->setValue(before);
    if (horizontalHeader()->visualIndex(index.column()) < horizontalHeader()->visualIndex(m_frozen))
        return;
    for (int turn = 0; turn < 2; ++turn) // scrolling back may widen the frozen one
        bar->setValue(bar->value() - std::max(0, frozenEdge() - columnViewportPosition(index.column())));
}

QRegion FrozenTable::visualRegionForSelection(const QItemSelection& selection) const {
    const int edge = frozenEdge();
    const QRegion region = QTableView::visualRegionForSelection(selection);
    return edge > 0 ? region + QRect(0, 0, edge, viewport()->height()) : region;
}

void FrozenTable::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    const int edge = frozenEdge(), rows = verticalHeader()->count();
    if (rows == verticalHeader()->hiddenSectionCount()) // a sentence may stand there instead
        return;
    if (edge == 0 || !event->rect().intersects(QRect(0, 0, edge, viewport()->height())))
        return;
    QPainter painter(viewport());
    painter.setClipRect(0, 0, edge, viewport()->height());
    painter.fillRect(0, 0, edge, viewport()->height(), palette().brush(QPalette::Base));
    const QModelIndex under =
        viewport()->underMouse() ? indexAt(viewport()->mapFromGlobal(QCursor::pos())) : QModelIndex();
    for (int visual = std::max(0, verticalHeader()->visualIndexAt(0)); visual < rows; ++visual) {
        const int row = verticalHeader()->logicalIndex(visual);
        if (rowViewportPosition(row) >= viewport()->height())
            break;
        if (isRowHidden(row))
            continue;
        const QModelIndex index = model()->index(row, m_frozen, rootIndex());
        QStyleOptionViewItem option; // as QTableView fills it
        initViewItemOption(&option);
        option.rect = visualRect(index);
        if (alternatingRowColors() && visual % 2 == 1)
            option.features |= QStyleOptionViewItem::Alternate;
        option.state.setFlag(QStyle::State_Selected, selectionModel()->isSelected(index));
        option.state.setFlag(QStyle::State_MouseOver, index == under);
        option.state.setFlag(QStyle::State_HasFocus, index == currentIndex() && hasFocus());
        style()->drawPrimitive(QStyle::PE_PanelItemViewRow, &option, &painter, this);
        itemDelegateForIndex(index)->paint(&painter, option, index);
    }
    painter.setPen(Theme::current().buttonBorder);
    painter.drawLine(edge - 1, 0, edge - 1, viewport()->height());
}

void FrozenTable::paintSentence(const QString& sentence) {
    QPainter painter(viewport());
    painter.setFont(Sizes::caption());
    painter.setPen(Theme::current().text2);
    const int edge = qRound(1.5 * Sizes::unit());
    const QRect room = viewport()->rect().adjusted(edge, 0, -edge, 0);
    constexpr int kHow = Qt::AlignCenter | Qt::TextWordWrap;
    if (room.contains(painter.boundingRect(room, kHow, sentence)))
        painter.drawText(room, kHow, sentence);
}

int roomFrom(const QAbstractItemView& view, int column) {
    const auto* table = qobject_cast<const FrozenTable*>(&view);
    return table ? table->roomFrom(column) : 0;
}

} // namespace headroom::widgets
