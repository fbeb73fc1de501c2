// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/matrix/cell_map.h"

#include "widgets/look/colour_map.h"
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/map_tag.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace headroom::widgets {

CellMap::CellMap(const QString& emptySentence, QWidget* parent)
    : QWidget(parent), m_emptySentence(emptySentence) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleDescription(m_emptySentence);
}

void CellMap::setEmptySentence(const QString& sentence) {
    m_emptySentence = sentence;
    cellsChanged();
}

void CellMap::cellsChanged() {
    m_hovered.reset();
    updateDescription();
    update();
}

void CellMap::setSelectedPlace(std::optional<Place> place) {
    if (place == m_selected)
        return;
    m_selected = place;
    updateDescription();
    update();
}

void CellMap::updateDescription() {
    setAccessibleDescription(isEmpty() ? m_emptySentence : description());
}

void CellMap::renderTo(QPainter& painter, const QRect& target) {
    const auto hovered = std::exchange(m_hovered, std::nullopt), selected = std::exchange(m_selected, std::nullopt);
    m_inFigure = true;
    painter.save();
    paint(painter, target);
    painter.restore();
    m_inFigure = false;
    m_hovered = hovered;
    m_selected = selected;
}

void CellMap::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paint(painter, rect());
    if (!hasFocus())
        return;
    const double width = scaledPixels(2);
    painter.setPen(QPen(Theme::current().accent, width));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2));
}

void CellMap::paintRings(QPainter& painter, const std::function<QRectF(Place)>& ringOf) const {
    const auto& theme = Theme::current();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    const auto hovered = m_hovered == m_selected ? std::nullopt : m_hovered;
    for (const auto& [place, width] : {std::pair(hovered, 1.0), std::pair(m_selected, 2.0)}) {
        if (!place)
            continue;
        const QRectF ring = ringOf(*place);
        painter.setPen(QPen(theme.bandCasing, scaledPixels(width + 2)));
        painter.drawRect(ring);
        painter.setPen(QPen(theme.crossHair, scaledPixels(width)));
        painter.drawRect(ring);
    }
    painter.restore();
}

void CellMap::paintEmptySentence(QPainter& painter, const QRectF& room) const {
    const auto& theme = Theme::current();
    const double unit = Sizes::unit();
    const QRectF inside = room.adjusted(2 * unit, 0, -2 * unit, 0);
    const QRectF text = QFontMetricsF(Sizes::text())
                            .boundingRect(inside, Qt::AlignCenter | Qt::TextWordWrap, m_emptySentence);
    painter.fillRect(text.adjusted(-unit, -unit, unit, unit), theme.alternate);
    painter.setFont(Sizes::text());
    painter.setPen(theme.text2);
    painter.drawText(inside, Qt::AlignCenter | Qt::TextWordWrap, m_emptySentence);
}

void CellMap::paintScale(QPainter& painter, const QRectF& strip, const ColourMap& colours,
                         const std::vector<Tick>& ticks) {
    const auto& theme = Theme::current();
    const QFontMetricsF metrics(Sizes::small());
    painter.fillRect(strip, colours.upwards(strip));
    painter.setFont(Sizes::small());
    for (const auto& [share, text] : ticks) {
        const double y = strip.bottom() - share * strip.height();
        painter.setPen(QPen(theme.buttonBorder, scaledPixels(1)));
        painter.drawLine(QPointF(strip.right(), y), QPointF(strip.right() + scaledPixels(4), y));
        painter.setPen(theme.text2);
        painter.drawText(
            QPointF(strip.right() + scaledPixels(7),
                    std::clamp(y + metrics.ascent() / 2 - scaledPixels(1.5),
                               strip.top() + metrics.ascent() - scaledPixels(2),
                               std::max(strip.bottom(), strip.top() + metrics.ascent()))),
            text);
    }
}

void CellMap::select(Place place) {
    if (m_selected == place)
        return;
    setSelectedPlace(place);
    placeSelected(place);
}

void CellMap::move(int rows, int columns) {
    const Place all = count();
    const auto moved = [](int from, int by, int end) { return std::clamp(from + by, 0, end - 1); };
    select(m_selected ? Place{moved(m_selected->row, rows, all.row),
                              moved(m_selected->column, columns, all.column)}
                      : Place{0, 0});
}

bool CellMap::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), toolTipAt(help->pos()), this);
    return true;
}

void CellMap::mousePressEvent(QMouseEvent* event) {
    const auto place = placeAt(event->position());
    if (event->button() != Qt::LeftButton || !place) {
        event->ignore();
        return;
    }
    select(*place);
    placeActivated(*place);
}

void CellMap::contextMenuEvent(QContextMenuEvent* event) {
    if (isEmpty())
        return event->ignore();
    if (const auto place = placeAt(event->pos()); place && event->reason() == QContextMenuEvent::Mouse)
        select(*place);
    QMenu menu(this);
    if (const auto place = m_selected)
        connect(menu.addAction(tr("Show this cell")), &QAction::triggered, this,
                [this, place] { placeActivated(*place); });
    if (!asText().isEmpty())
        connect(menu.addAction(icon(QStringLiteral("copy")), tr("Copy the map as text\tCtrl+C")), &QAction::triggered,
                this, [this] { QApplication::clipboard()->setText(asText()); });
    menu.addSeparator();
    menu.addActions(actions()); // the owner's
    if (!menu.isEmpty())
        menu.exec(event->globalPos());
}

void CellMap::mouseMoveEvent(QMouseEvent* event) {
    const auto place = placeAt(event->position());
    setCursor(place ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (place == m_hovered)
        return;
    m_hovered = place;
    update();
}

void CellMap::leaveEvent(QEvent* event) {
    m_hovered.reset();
    update();
    QWidget::leaveEvent(event);
}

void CellMap::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy) && !asText().isEmpty()) {
        QApplication::clipboard()->setText(asText());
        return;
    }
    if (isEmpty())
        return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Left:
        return move(0, -1);
    case Qt::Key_Right:
        return move(0, 1);
    case Qt::Key_Up:
        return move(-1, 0);
    case Qt::Key_Down:
        return move(1, 0);
    case Qt::Key_Home:
        return move(0, -count().column);
    case Qt::Key_End:
        return move(0, count().column);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_selected)
            return placeActivated(*m_selected);
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void CellMap::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void CellMap::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

void CellMap::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        updateGeometry();
        update();
    }
}

} // namespace headroom::widgets
