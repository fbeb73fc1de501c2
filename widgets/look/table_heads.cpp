// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/table_heads.h"

#include "widgets/look/frozen_table.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/look/whole_numbers.h"

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyleOptionHeader>

#include <algorithm>

namespace headroom::widgets {

TableHeads::TableHeads(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
    setSectionsClickable(true); // as QTableView sets its own
    if (auto* table = qobject_cast<QAbstractScrollArea*>(
            parent)) // a column that becomes whole is painted anew, not moved
        connect(table->horizontalScrollBar(), &QScrollBar::valueChanged, this, [this, table] {
            viewport()->update();
            table->viewport()->update();
        });
}

/// Of its numbers, which stand at the right, or of its words; in tables that cut them, the head is cut too.
QRect TableHeads::inSight(const QRect& rect, int section) const {
    const auto* table = qobject_cast<const QAbstractItemView*>(parent());
    if (!table || !qobject_cast<const WholeNumbersDelegate*>(table->itemDelegate()))
        return rect;
    const int alignment = model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole).toInt();
    return partInSight(rect, roomFrom(*table, section), viewport()->width(), (alignment & Qt::AlignRight) != 0);
}

/// How far the head at x lies right of where Qt has it; 0 unless it is that of a frozen column.
int TableHeads::shiftAt(int x) const {
    const auto* table = qobject_cast<const FrozenTable*>(parent());
    const int edge = table ? table->frozenEdge() : 0;
    if (x < 0 || x >= edge)
        return 0;
    const int left = sectionViewportPosition(table->frozenColumn()),
              right = left + sectionSize(table->frozenColumn());
    // Its end is its end, where one makes it wider; its start is not that of the column before it.
    const int grip = style()->pixelMetric(QStyle::PM_HeaderGripMargin, nullptr, this) + 1;
    return x - std::max(x - edge + right, left + grip);
}

/// The end of a frozen column makes it wider; Qt itself looks for it where it is without freezing, and
/// ignores moves left of the table.
bool TableHeads::resizeFrozen(const QMouseEvent& mouse) {
    const auto* table = qobject_cast<const FrozenTable*>(parent());
    const int x = qRound(mouse.position().x()), edge = table ? table->frozenEdge() : 0;
    const bool isEnd =
        x < edge && x >= edge - style()->pixelMetric(QStyle::PM_HeaderGripMargin, nullptr, this);
    if (mouse.type() == QEvent::MouseButtonPress && mouse.button() == Qt::LeftButton && isEnd) {
        m_resized = Resized{x, sectionSize(table->frozenColumn())};
        return true;
    }
    if (mouse.type() == QEvent::MouseMove && mouse.buttons() == Qt::NoButton && x >= 0 && x < edge) {
        if (isEnd)
            setCursor(Qt::SplitHCursor);
        else
            unsetCursor();
        return true;
    }
    if (!m_resized)
        return false;
    if (mouse.type() == QEvent::MouseMove)
        resizeSection(table->frozenColumn(),
                      std::max(minimumSectionSize(), m_resized->width + x - m_resized->from));
    else if (mouse.type() == QEvent::MouseButtonRelease)
        m_resized.reset();
    return true;
}

/// Qt finds the head under the mouse by where it is without freezing.
bool TableHeads::viewportEvent(QEvent* event) {
    switch (event->type()) {
    case QEvent::MouseMove:
        if (resizeFrozen(*static_cast<QMouseEvent*>(event)))
            return true;
        break;
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonRelease:
    case QEvent::MouseButtonDblClick: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const int shift = shiftAt(qRound(mouse->position().x()));
        if (resizeFrozen(*mouse))
            return true;
        if (shift == 0)
            break;
        QMouseEvent shifted(event->type(), mouse->position() - QPointF(shift, 0), mouse->scenePosition(),
                            mouse->globalPosition(), mouse->button(), mouse->buttons(), mouse->modifiers(),
                            mouse->pointingDevice());
        viewport()->update();
        return QHeaderView::viewportEvent(&shifted);
    }
    case QEvent::HoverEnter:
    case QEvent::HoverMove: {
        const auto* hover = static_cast<QHoverEvent*>(event);
        const int shift = shiftAt(qRound(hover->position().x()));
        if (shift == 0)
            break;
        QHoverEvent shifted(event->type(), hover->position() - QPointF(shift, 0), hover->globalPosition(),
                            hover->oldPosF(), hover->modifiers());
        viewport()->update();
        return QHeaderView::viewportEvent(&shifted);
    }
    case QEvent::ToolTip:
    case QEvent::WhatsThis: {
        const auto* help = static_cast<QHelpEvent*>(event);
        QHelpEvent shifted(event->type(), help->pos() - QPoint(shiftAt(help->pos().x()), 0),
                           help->globalPos());
        return QHeaderView::viewportEvent(&shifted);
    }
    default:
        break;
    }
    return QHeaderView::viewportEvent(event);
}

void TableHeads::paintEvent(QPaintEvent* event) {
    QHeaderView::paintEvent(event);
    const auto* table = qobject_cast<const FrozenTable*>(parent());
    const int edge = table ? table->frozenEdge() : 0;
    if (edge == 0)
        return;
    QPainter painter(viewport());
    painter.setClipRect(0, 0, edge, height());
    paintSection(&painter, QRect(0, 0, edge, height()), table->frozenColumn());
    painter.setPen(Theme::current().buttonBorder);
    painter.drawLine(edge - 1, 0, edge - 1, height());
}

void TableHeads::paintSection(QPainter* painter, const QRect& whole, int section) const {
    const QRect rect = inSight(whole, section);
    if (rect != whole) {
        QStyleOptionHeaderV2 cut;
        initStyleOption(&cut);
        cut.rect = rect;
        if (!hasRoomForText(cut.fontMetrics, style()->subElementRect(QStyle::SE_HeaderLabel, &cut, this).width())) {
            cut.rect = whole;
            return style()->drawControl(QStyle::CE_HeaderSection, &cut, painter, this);
        }
    }
    if (!rect.isValid())
        return;
    QStyleOptionHeaderV2 option;
    initStyleOption(&option);
    option.rect = rect;
    initStyleOptionForIndex(&option, section);
    const bool isSorted = isSortIndicatorShown() && section == sortIndicatorSection();
    const QRect arrow = style()->subElementRect(QStyle::SE_HeaderArrow, &option, this);
    QRect text = style()->subElementRect(QStyle::SE_HeaderLabel, &option, this);
    if (isSorted)
        text.setRight(text.right() - qRound(Sizes::unit())); // as wide as the arrow in the style sheet
    // A head of one word is no name, which would be cut in its middle: “S…s” does not read as “Seeds”.
    QFont bold = font();
    bold.setWeight(QFont::DemiBold); // as in the style sheet
    option.text = QFontMetrics(bold).elidedText(option.text, Qt::ElideRight, text.width());
    painter->save();
    painter->setClipRect(rect);
    style()->drawControl(QStyle::CE_HeaderSection, &option, painter, this);
    option.rect = text;
    style()->drawControl(QStyle::CE_HeaderLabel, &option, painter, this);
    option.rect = arrow;
    if (isSorted)
        style()->drawPrimitive(QStyle::PE_IndicatorHeaderArrow, &option, painter, this);
    painter->restore();
}

} // namespace headroom::widgets
