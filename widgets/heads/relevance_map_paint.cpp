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

#include <algorithm>
#include <cmath>
#include <set>

namespace headroom::widgets {

namespace {

/// Relative luminance, 0 to 1 (WCAG 2.1).
double luminance(const QColor& colour) {
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

} // namespace

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

/// Kinds tell heads apart, so they are drawn where there are several. Rows and columns are whole pixels large and differ by one, and numbers
/// are not equally wide: either all cells have glyphs, or none.
bool RelevanceMap::showsKinds(const QRectF& map) const {
    const QFontMetricsF metrics(Sizes::small());
    double widest = 0;
    std::set<HeadKind> kinds;
    for (int layer = 0; layer < int(m_values.rows()); ++layer)
        for (int head = 0; head < int(m_values.columns()); ++head) {
            widest = std::max(widest, metrics.horizontalAdvance(numberText(value({layer, head}), 3)));
            if (const auto kind = kindOf({layer, head}))
                kinds.insert(*kind);
        }
    const double width = std::floor(map.width() / double(m_values.columns())) - scaledPixels(1);
    const double height = std::floor(map.height() / double(m_values.rows())) - scaledPixels(1);
    return kinds.size() > 1 && height >= Sizes::icon() && width >= widest + Sizes::icon() + scaledPixels(16);
}

void RelevanceMap::paintCell(QPainter& painter, const QRectF& cell, HeadId head, bool showsKinds) const {
    const auto& theme = Theme::current();
    const QRectF inner = cell.adjusted(0, 0, -scaledPixels(1), -scaledPixels(1));
    const QColor ground = colourAt(head);
    if (ground.isValid())
        painter.fillRect(inner, ground);
    else
        hatch(painter, QRegion(inner.toRect()), undefinedLine(), scaledPixels(6));
    // The words take the colour that stands out more: 0.179 is the luminance at which both do alike (WCAG 2.1).
    const QColor words = !ground.isValid()           ? theme.text2
                         : luminance(ground) > 0.179 ? QColor(Qt::black)
                                                     : QColor(Qt::white);
    const QFont font = Sizes::small();
    const QFontMetricsF metrics(font);
    const QString text = numberText(value(head), 3);
    const double advance = metrics.horizontalAdvance(text);
    const int side = Sizes::icon();
    const auto kind = kindOf(head);
    const bool glyph = kind && showsKinds;
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

bool RelevanceMap::hasUndefined() const {
    return std::any_of(m_values.values().begin(), m_values.values().end(), [](double value) { return !std::isfinite(value); });
}

QSize RelevanceMap::figureSize() const {
    if (m_values.empty())
        return size();
    const QRectF map = mapIn(rect());
    const double key = hasUndefined() ? std::min(map.height(), scaledPixels(150)) + scaledPixels(26) + QFontMetricsF(Sizes::small()).height() : 0;
    const double lowest = std::max(map.height(), key) + scaledPixels(8); // as mapIn() leaves below
    return {width(), std::min(height(), int(std::ceil(map.top() + lowest)))};
}

void RelevanceMap::paint(QPainter& painter, const QRectF& target) const {
    const auto& theme = Theme::current();
    painter.fillRect(target, theme.panel);
    const QRectF map = mapIn(target);
    if (m_values.empty()) {
        painter.setPen(QPen(theme.line, scaledPixels(1)));
        painter.setBrush(theme.alternate);
        painter.drawRect(map.adjusted(0.5, 0.5, -0.5, -0.5));
        return paintEmptySentence(painter, map);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    const bool kinds = showsKinds(map);
    for (int layer = 0; layer < int(m_values.rows()); ++layer)
        for (int head = 0; head < int(m_values.columns()); ++head)
            paintCell(painter, cellIn(map, {layer, head}), {layer, head}, kinds);
    paintNames(painter, map, target);
    paintRings(painter, [&](Place place) {
        return cellIn(map, *headOf(place)).adjusted(0, 0, -scaledPixels(1), -scaledPixels(1));
    });
    const QRectF strip(map.right() + scaledPixels(14), map.top(), scaledPixels(10),
                       std::min(map.height(), scaledPixels(150)));
    paintScale(painter, strip, ColourMap::named(ColourMap::Name::Cividis),
               {{1, QStringLiteral("≥ 0.5")}, {0.5, QStringLiteral("0.3")}, {0, QStringLiteral("≤ 0.1")}});
    const QPointF below = strip.bottomLeft() + QPointF(0, scaledPixels(12));
    const double needed = scaledPixels(14) + QFontMetricsF(Sizes::small()).height();
    if (hasUndefined() && below.y() + needed <= target.bottom())
        paintUndefinedKey(painter, below, tr("no value"), scaledPixels(6));
}

void RelevanceMap::paintNames(QPainter& painter, const QRectF& map, const QRectF& target) const {
    const auto& theme = Theme::current();
    const QFontMetricsF metrics(Sizes::small());
    const auto marked = headOf(markedPlace());
    QFont bold = Sizes::small();
    bold.setBold(true);
    const auto use = [&](bool chosen) {
        painter.setFont(chosen ? bold : Sizes::small());
        painter.setPen(chosen ? theme.accent : theme.text2);
    };
    const int every = int(std::ceil(metrics.height() * double(m_values.rows()) / map.height()));
    for (int layer = 0; layer < int(m_values.rows()); ++layer) {
        if (!isLabelled(layer, marked ? marked->layer : -1, every))
            continue;
        const QRectF cell = cellIn(map, {layer, 0});
        use(marked && marked->layer == layer);
        painter.drawText(
            QRectF(target.left(), cell.top(), map.left() - target.left() - scaledPixels(6), cell.height()),
            Qt::AlignVCenter | Qt::AlignRight, tr("layer %1").arg(layer + 1));
    }
    for (int head = 0; head < int(m_values.columns()); ++head) {
        const QRectF cell = cellIn(map, {0, head});
        const QString wide = tr("head %1").arg(head + 1);
        use(marked && marked->head == head);
        painter.drawText(
            QRectF(cell.left(), target.top(), cell.width(), map.top() - target.top()), Qt::AlignCenter,
            metrics.horizontalAdvance(wide) + scaledPixels(4) < cell.width() ? wide
                                                                             : QString::number(head + 1));
    }
}

} // namespace headroom::widgets
