// SPDX-License-Identifier: GPL-3.0-or-later
// How the map of relevance looks.
#include "widgets/heads/relevance_map.h"
#include "widgets/layer_editor/head_chip.h"
#include "widgets/look/colour_map.h"
#include "widgets/look/icons.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/map_tag.h"
#include "widgets/phone_matrix/hatch.h"

#include <QFontMetricsF>
#include <QIcon>
#include <QPainter>

#include <array>
#include <cmath>

namespace headroom::widgets {

QRectF RelevanceMap::mapIn(const QRectF& target) const {
    const QFontMetricsF metrics(Sizes::small());
    const double left = std::ceil(metrics.horizontalAdvance(tr("layer %1").arg(88)) + scaledPixels(16));
    const double top = std::ceil(metrics.height() + scaledPixels(8));
    const double right = scaledPixels(72), bottom = scaledPixels(8);
    const double rows = m_values.empty() ? 8 : double(m_values.rows());
    // Cells higher than a line of text would say no more.
    const double height = std::min(target.height() - top - bottom, rows * scaledPixels(30));
    return QRectF(target.left() + left, target.top() + top, std::max(1.0, target.width() - left - right),
                  std::max(1.0, height));
}

QRectF RelevanceMap::cellIn(const QRectF& map, HeadId head) const {
    if (m_values.empty() || head.layer < 0 || head.head < 0 || std::size_t(head.layer) >= m_values.rows() ||
        std::size_t(head.head) >= m_values.columns())
        return {};
    const double width = map.width() / double(m_values.columns());
    const double height = map.height() / double(m_values.rows());
    const double x = std::round(map.left() + head.head * width),
                 y = std::round(map.top() + head.layer * height);
    return {x, y, std::round(map.left() + (head.head + 1) * width) - x,
            std::round(map.top() + (head.layer + 1) * height) - y};
}

void RelevanceMap::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paint(painter, rect());
    if (!hasFocus())
        return;
    const double width = scaledPixels(2);
    painter.setPen(QPen(Theme::current().accent, width));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2));
}

void RelevanceMap::renderTo(QPainter& painter, const QRect& target) {
    painter.save();
    paint(painter, target);
    painter.restore();
}

void RelevanceMap::paintCell(QPainter& painter, const QRectF& cell, HeadId head) const {
    const auto& theme = Theme::current();
    const QRectF inner = cell.adjusted(0, 0, -scaledPixels(1), -scaledPixels(1));
    const QColor ground = colourAt(head);
    if (ground.isValid())
        painter.fillRect(inner, ground);
    else
        hatch(painter, QRegion(inner.toRect()), undefinedLine(), scaledPixels(6));
    // Dark words on bright grounds: cividis grows evenly in lightness.
    const QColor words = !ground.isValid()           ? theme.text2
                         : qGray(ground.rgb()) > 118 ? QColor(Qt::black)
                                                     : QColor(Qt::white);
    const QFont font = Sizes::small();
    const QFontMetricsF metrics(font);
    const QString text = numberText(value(head), 3);
    const double advance = metrics.horizontalAdvance(text);
    const int side = Sizes::icon();
    const auto kind = kindOf(head);
    const bool glyph = kind && inner.width() >= advance + side + scaledPixels(16) && inner.height() >= side;
    if (inner.height() >= metrics.ascent() && inner.width() >= advance + scaledPixels(2)) {
        painter.setFont(font);
        painter.setPen(words);
        painter.drawText(inner.adjusted(glyph ? side + scaledPixels(6) : 0, 0, 0, 0), Qt::AlignCenter, text);
    }
    if (glyph)
        icon(glyphOf(*kind), words)
            .paint(&painter, QRect(int(inner.left() + scaledPixels(6)), int(inner.center().y() - side / 2.0),
                                   side, side));
}

void RelevanceMap::paint(QPainter& painter, const QRectF& target) const {
    const auto& theme = Theme::current();
    painter.fillRect(target, theme.panel);
    const QRectF map = mapIn(target);
    const QFontMetricsF metrics(Sizes::small());
    if (m_values.empty()) {
        painter.setPen(QPen(theme.line, scaledPixels(1)));
        painter.setBrush(theme.alternate);
        painter.drawRect(map.adjusted(0.5, 0.5, -0.5, -0.5));
        painter.setFont(Sizes::text());
        painter.setPen(theme.text2);
        painter.drawText(map.adjusted(Sizes::unit(), 0, -Sizes::unit(), 0),
                         Qt::AlignCenter | Qt::TextWordWrap, m_emptySentence);
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (int layer = 0; layer < int(m_values.rows()); ++layer)
        for (int head = 0; head < int(m_values.columns()); ++head)
            paintCell(painter, cellIn(map, {layer, head}), {layer, head});
    const std::optional<HeadId> marked = m_hovered ? m_hovered : m_selected;
    QFont bold = Sizes::small();
    bold.setBold(true);
    const int every = int(std::ceil(metrics.height() * double(m_values.rows()) / map.height()));
    for (int layer = 0; layer < int(m_values.rows()); ++layer) {
        const bool chosen = marked && marked->layer == layer;
        if (!chosen && (layer % every != 0 || (marked && std::abs(marked->layer - layer) < every)))
            continue;
        const QRectF cell = cellIn(map, {layer, 0});
        painter.setFont(chosen ? bold : Sizes::small());
        painter.setPen(chosen ? theme.accent : theme.text2);
        painter.drawText(
            QRectF(target.left(), cell.top(), map.left() - target.left() - scaledPixels(6), cell.height()),
            Qt::AlignVCenter | Qt::AlignRight, tr("layer %1").arg(layer + 1));
    }
    for (int head = 0; head < int(m_values.columns()); ++head) {
        const bool chosen = marked && marked->head == head;
        const QRectF cell = cellIn(map, {0, head});
        const QString wide = tr("head %1").arg(head + 1);
        painter.setFont(chosen ? bold : Sizes::small());
        painter.setPen(chosen ? theme.accent : theme.text2);
        painter.drawText(
            QRectF(cell.left(), target.top(), cell.width(), map.top() - target.top()), Qt::AlignCenter,
            metrics.horizontalAdvance(wide) + scaledPixels(4) < cell.width() ? wide
                                                                             : QString::number(head + 1));
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    for (const auto& [head, width] : {std::pair(m_hovered, 1.0), std::pair(m_selected, 2.0)}) {
        if (!head)
            continue;
        const QRectF cell = cellIn(map, *head).adjusted(0, 0, -scaledPixels(1), -scaledPixels(1));
        painter.setPen(QPen(theme.bandCasing, scaledPixels(width + 2)));
        painter.drawRect(cell);
        painter.setPen(QPen(theme.crossHair, scaledPixels(width)));
        painter.drawRect(cell);
    }
    painter.restore();
    paintScale(painter, map);
}

void RelevanceMap::paintScale(QPainter& painter, const QRectF& map) const {
    const auto& theme = Theme::current();
    const QFontMetricsF metrics(Sizes::small());
    const QRectF strip(map.right() + scaledPixels(14), map.top(), scaledPixels(10),
                       std::min(map.height(), scaledPixels(150)));
    const ColourMap& colours = ColourMap::named(ColourMap::Name::Cividis);
    QLinearGradient gradient(strip.bottomLeft(), strip.topLeft());
    for (int stop = 0; stop <= 32; ++stop)
        gradient.setColorAt(stop / 32.0, QColor(colours.at(stop / 32.0)));
    painter.fillRect(strip, gradient);
    painter.setFont(Sizes::small());
    const std::array<std::pair<double, QString>, 3> ticks{
        {{kHigh, QStringLiteral("≥ 0.5")}, {0.3, QStringLiteral("0.3")}, {kLow, QStringLiteral("≤ 0.1")}}};
    for (const auto& [at, text] : ticks) {
        const double y = strip.bottom() - (at - kLow) / (kHigh - kLow) * strip.height();
        painter.setPen(QPen(theme.buttonBorder, scaledPixels(1)));
        painter.drawLine(QPointF(strip.right(), y), QPointF(strip.right() + scaledPixels(4), y));
        painter.setPen(theme.text2);
        painter.drawText(
            QPointF(strip.right() + scaledPixels(7),
                    std::clamp(y + metrics.ascent() / 2 - scaledPixels(1.5),
                               strip.top() + metrics.ascent() - scaledPixels(2), strip.bottom())),
            text);
    }
}

} // namespace headroom::widgets
