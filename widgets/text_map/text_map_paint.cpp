// SPDX-License-Identifier: GPL-3.0-or-later
// The map, its labels, the boxes of its words and its scale.
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/text_map/text_map_view.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

QImage TextMapView::image(double pixelRatio) const {
    const QRectF plot = plotRect();
    const QSize pixels(static_cast<int>(std::ceil(plot.width() * pixelRatio)),
                       static_cast<int>(std::ceil(plot.height() * pixelRatio)));
    const Sampled wanted{m_map.get(), axis()->visible(), pixels, top(), rowHeight()};
    if (wanted == m_sampledFor)
        return m_image;
    m_sampledFor = wanted;
    std::vector<CellRange> rows;
    const auto count = static_cast<std::int32_t>(m_map->rows());
    for (int pixel = 0; pixel < pixels.height(); ++pixel) {
        const auto row = static_cast<std::int32_t>(((pixel + 0.5) / pixelRatio + top()) / rowHeight());
        rows.push_back(row < count ? CellRange{row, row + 1} : CellRange{});
    }
    const auto columns = cellsOfPixels(axis()->visible(), pixels.width(), m_clock,
                                       static_cast<std::int64_t>(m_map->columns()));
    const Theme& theme = Theme::current();
    const ColourTable table(ColourMap::named(m_colourMap, theme.isDark), m_gamma, theme.hiddenCell.rgb());
    m_image = table.colour(sampleMap(*m_map, rows, columns, false), m_range);
    m_image.setDevicePixelRatio(pixelRatio);
    return m_image;
}

void TextMapView::paintLane(QPainter& painter) {
    const QRectF plot = plotRect();
    paintFrame(painter);
    if (!hasMap() || !hasSound())
        return paintEmpty(painter, m_emptySentence);
    painter.fillRect(plot, Theme::current().alternate);
    painter.save();
    painter.setClipRect(plot, Qt::IntersectClip);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(plot.topLeft(), image(pixelRatio(painter)));
    painter.restore();
    paintLabels(painter);
    paintScrolled(painter);
    paintScale(painter);
}

void TextMapView::paintLabels(QPainter& painter) const {
    const Theme& theme = Theme::current();
    const QRectF plot = plotRect();
    const double unit = Sizes::unit();
    painter.save();
    painter.setClipRect(QRectF(0, plot.top(), plot.left() - 1, plot.height()), Qt::IntersectClip);
    for (int row = 0; row < static_cast<int>(m_rows.size()); ++row) {
        const TextRow& shown = m_rows[static_cast<std::size_t>(row)];
        const QRectF place = rowRect(row);
        const QRectF box(0, place.top(), plot.left() - 1, place.height());
        if (box.bottom() <= plot.top() || box.top() >= plot.bottom())
            continue;
        const bool marked = shown.word >= 0 && shown.word == m_marked;
        if (marked)
            painter.fillRect(box, theme.selectedRow);
        if (!shown.continues) {
            painter.setPen(QPen(theme.line, scaledPixels(1)));
            painter.drawLine(box.topLeft(), box.topRight());
        }
        if (box.top() < plot.top() - 1 ||
            box.bottom() > plot.bottom() + 1) // half a label reads as another one
            continue;
        QFont font =
            place.height() >= QFontMetricsF(Sizes::caption()).height() ? Sizes::caption() : Sizes::small();
        font.setBold(marked);
        painter.setFont(font);
        painter.setPen(marked || (shown.word >= 0 && !shown.continues) ? theme.text : theme.text2);
        const QRectF inside = box.adjusted(unit / 2, 0, -unit / 2, 0);
        painter.drawText(inside, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip,
                         QFontMetricsF(font).elidedText(shown.label, Qt::ElideRight, inside.width()));
    }
    painter.restore();
}

/// Which rows are shown, where not all of them fit: beside the map, as a scroll bar would show it.
void TextMapView::paintScrolled(QPainter& painter) const {
    if (largestTop() <= 0 || isExporting())
        return;
    const QRectF plot = plotRect();
    const double all = plot.height() + largestTop();
    painter.fillRect(QRectF(plot.right() + scaledPixels(1), plot.top() + top() / all * plot.height(),
                            scaledPixels(3), plot.height() * plot.height() / all),
                     Theme::current().fieldBorder);
}

void TextMapView::paintWords(QPainter& painter) const {
    const Theme& theme = Theme::current();
    const double thin = scaledPixels(1);
    for (std::size_t place = 0; place < m_words.size(); ++place) {
        const TextWord& word = m_words[place];
        if (word.first >= word.end)
            continue;
        const double top = rowRect(word.first).top(), bottom = rowRect(word.end - 1).bottom();
        const bool marked = static_cast<int>(place) == m_marked;
        if (word.time && !m_wordAxis) {
            const QRectF box(QPointF(xOf(word.time->start), top), QPointF(xOf(word.time->end), bottom));
            const QRectF inner = box.adjusted(thin, thin, -thin, -thin);
            strokeOnMap(painter, QPolygonF(inner), theme.band, scaledPixels(marked ? 2 : 1));
        }
        if (word.reference && !m_wordAxis)
            for (const Seconds bound : {word.reference->start, word.reference->end}) {
                const double x = std::floor(xOf(bound)) + 0.5;
                strokeOnMap(painter, QPolygonF{{x, top}, {x, bottom}}, theme.crossHair, scaledPixels(1.5),
                            Qt::DotLine);
            }
    }
}

void TextMapView::paintOverlay(QPainter& painter) {
    if (!hasMap() || !hasSound())
        return;
    painter.save();
    painter.setClipRect(plotRect(), Qt::IntersectClip);
    paintWords(painter);
    painter.restore();
    TimeLane::paintOverlay(painter);
}

void TextMapView::paintScale(QPainter& painter) const {
    const Theme& theme = Theme::current();
    const QRectF plot = plotRect();
    const QFontMetricsF metrics(Sizes::small());
    const double left = plot.right() + scaledPixels(6);
    QFont bold = Sizes::caption();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(theme.text);
    painter.drawText(QPointF(left, plot.top() + metrics.ascent() + scaledPixels(2)), m_symbol);
    const QRectF strip(left, plot.top() + scaledPixels(26), scaledPixels(10),
                       std::min(scaledPixels(176), plot.height() - scaledPixels(26 + 12)));
    if (strip.height() < scaledPixels(24))
        return;
    const ColourMap& colours = ColourMap::named(m_colourMap, theme.isDark);
    painter.fillRect(strip, colours.upwards(strip));
    painter.setPen(QPen(theme.line, scaledPixels(1)));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(strip);
    painter.setFont(Sizes::small());
    painter.setPen(theme.text2);
    const double room = laneRect().right() - strip.right() - scaledPixels(4);
    int decimals =
        std::clamp(1 - static_cast<int>(std::floor(std::log10(std::max(m_range.high, 1e-9)))), 2, 5);
    const QString above = m_largest > m_range.high ? QStringLiteral("≥\u202f") : QString();
    while (decimals > 1 && metrics.horizontalAdvance(above + number(m_range.high, decimals)) > room)
        --decimals;
    const double right = strip.right() + scaledPixels(4), down = metrics.ascent() / 2 - scaledPixels(1);
    painter.drawText(QPointF(right, strip.top() + down), above + number(m_range.high, decimals));
    painter.drawText(QPointF(right, strip.bottom() + down), QStringLiteral("0"));
}

} // namespace headroom::widgets
