// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/matrix/head_strip.h"

#include "widgets/layer_editor/head_chip.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/map_tag.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

namespace {

/// The attention mask of a kind, which tells it apart without colour too: as the glyphs of the chips.
void paintMask(QPainter& painter, const QRectF& cell, HeadKind kind) {
    const double third = cell.width() / 3, half = cell.height() / 2;
    switch (kind) {
    case HeadKind::Full:
        painter.drawRect(cell);
        break;
    case HeadKind::Local:
        painter.drawPolygon(QPolygonF{cell.topLeft(), cell.topLeft() + QPointF(third, 0), cell.bottomRight(),
                                      cell.bottomRight() - QPointF(third, 0)});
        break;
    case HeadKind::LocalBlock:
        painter.drawRect(QRectF(cell.left(), cell.top(), cell.width() / 2, half));
        painter.drawRect(QRectF(cell.center().x(), cell.top() + half, cell.width() / 2, half));
        break;
    case HeadKind::Conv:
        for (const int stripe : {0, 2, 4})
            painter.drawRect(
                QRectF(cell.left() + stripe * cell.width() / 5, cell.top(), cell.width() / 5, cell.height()));
        break;
    case HeadKind::Masked:
        painter.drawPolygon(QPolygonF{cell.topLeft(), cell.bottomLeft(), cell.bottomRight()});
        break;
    case HeadKind::Reuse:
        break; // nothing of its own: outline only
    }
}

} // namespace

HeadStrip::HeadStrip(const QRectF& rect, const std::vector<HeadGroup>& heads) : m_rect(rect) {
    for (HeadGroup group : heads)
        for (int count = std::exchange(group.count, 1); count > 0; --count)
            m_heads.push_back(group);
}

QRectF HeadStrip::cell(int head) const {
    const double each = m_rect.width() / std::max(1, count());
    // On whole pixels, so that equal heads look equal.
    const double left = std::round(m_rect.left() + head * each),
                 right = std::round(m_rect.left() + (head + 1) * each);
    const double gap = each >= 6 && head + 1 < count() ? 2 : 0;
    return {left, m_rect.top(), std::max(1.0, right - left - gap), m_rect.height()};
}

int HeadStrip::headAt(QPointF position) const {
    if (!m_rect.contains(position) || m_heads.empty())
        return -1;
    return std::clamp(static_cast<int>((position.x() - m_rect.left()) / m_rect.width() * count()), 0,
                      count() - 1);
}

QString HeadStrip::text(int head) const {
    const ChipText text = chipText(m_heads.at(static_cast<std::size_t>(head)));
    return text.modifiers.isEmpty() ? text.label : text.label + QLatin1Char(' ') + text.modifiers;
}

void HeadStrip::paint(QPainter& painter, int shown, int hovered) const {
    const Theme& theme = Theme::current();
    painter.save();
    for (int head = 0; head < count(); ++head) {
        const HeadKind kind = m_heads[static_cast<std::size_t>(head)].kind;
        const QRectF box = cell(head);
        const QColor colour = colourOf(kind);
        QColor ground = colour;
        ground.setAlphaF(head == hovered ? 0.5 : 0.2);
        painter.fillRect(box, ground);
        painter.setRenderHint(QPainter::Antialiasing, kind == HeadKind::Local || kind == HeadKind::Masked);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        paintMask(painter, box, kind);
        if (head != shown)
            continue;
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.panel, 1));
        painter.drawRect(box.adjusted(1, 1, -2, -2));
        painter.setPen(QPen(theme.accent, scaledPixels(2), Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.drawRect(box.adjusted(-1, -1, 0, 0));
    }
    painter.restore();
}

} // namespace headroom::widgets
