// SPDX-License-Identifier: GPL-3.0-or-later
// How the small maps look in each state.
#include "widgets/look/icons.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/layer_thumbnails.h"
#include "widgets/matrix/map_tag.h"

#include <QFontMetricsF>
#include <QPainter>

#include <cmath>

namespace headroom::widgets {

namespace {

/// A whole map in a picture has no time axis: token t covers [t, t + 1).
MatrixMapping wholeMap(const QRectF& plot, std::int64_t tokens) {
    const TimeSpan all{Seconds(0), Seconds(static_cast<double>(tokens))};
    return {plot, all, all, TokenClock::affine(Seconds(0.5), Seconds(1)), tokens};
}

} // namespace

const QImage& LayerThumbnails::imageOf(Entry& entry, QSize pixels, double pixelRatio) {
    const auto tokens = static_cast<std::int64_t>(entry.state.map->rows());
    if (entry.sampled.rows() != static_cast<std::size_t>(pixels.height()) ||
        entry.sampled.columns() != static_cast<std::size_t>(pixels.width())) {
        const auto whole = wholeMap({}, tokens);
        const auto columns = cellsOfPixels(whole.keys, pixels.width(), whole.clock, tokens);
        const auto rows = cellsOfPixels(whole.queries, pixels.height(), whole.clock, tokens);
        entry.sampled = sampleMap(*entry.state.map, rows, columns, m_hideDiagonal);
        entry.image = {};
    }
    if (entry.image.isNull()) {
        const auto& theme = Theme::current();
        if (!m_table)
            m_table.emplace(ColourMap::named(m_colourMap, theme.isDark), m_gamma, theme.hiddenCell.rgb());
        entry.image = m_table->colour(entry.sampled, m_range.value_or(entry.range));
    }
    entry.image.setDevicePixelRatio(pixelRatio);
    return entry.image;
}

void LayerThumbnails::paintOutline(QPainter& painter, const ThumbnailState& state, const QRect& map) const {
    const auto& theme = Theme::current();
    painter.setPen(QPen(theme.line, scaledPixels(1)));
    painter.setBrush(theme.alternate);
    const QRectF frame = QRectF(map).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.drawRect(frame);
    painter.drawLine(frame.topLeft(), frame.bottomRight());
    if (state.status == ThumbnailState::Status::Reading) {
        const double height = scaledPixels(4), inset = 0.13 * frame.width();
        QRectF bar(frame.left() + inset, frame.bottom() - 3 * height, frame.width() - 2 * inset, height);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.line);
        painter.drawRoundedRect(bar, height / 2, height / 2);
        bar.setWidth(bar.width() * std::clamp(state.progress, 0.0, 1.0));
        painter.setBrush(theme.accent);
        painter.drawRoundedRect(bar, height / 2, height / 2);
    } else if (state.status == ThumbnailState::Status::Failed) {
        const int size = Sizes::icon();
        const QRect place(map.center() - QPoint(size / 2, size / 2), QSize(size, size));
        painter.fillRect(place, theme.alternate);
        icon(QStringLiteral("error"), theme.error).paint(&painter, place);
    }
}

void LayerThumbnails::paintLabel(QPainter& painter, int layer, const QRect& cell) const {
    const auto& theme = Theme::current();
    const auto& state = m_entries[static_cast<std::size_t>(layer)].state;
    const int height = static_cast<int>(2.5 * Sizes::unit());
    const QRect line(cell.left(), cell.bottom() - height + 1, cell.width(), height);
    if (layer == m_current)
        painter.fillRect(line, theme.selectedRow);
    const QRect text =
        line.adjusted(static_cast<int>(scaledPixels(3)), 0, -static_cast<int>(scaledPixels(3)), 0);
    QFont bold = Sizes::caption();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(theme.text);
    const QString name = QString::number(layer + 1);
    painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft, name);
    const double after = QFontMetricsF(bold).horizontalAdvance(name) + scaledPixels(8);
    painter.setFont(Sizes::caption());
    const QFontMetricsF metrics(Sizes::caption());
    const bool ready = state.status == ThumbnailState::Status::Ready;
    if (ready && !state.hasWindow()) {
        const QRectF rest = QRectF(text).adjusted(after, 0, 0, 0);
        painter.setPen(theme.text2);
        painter.drawText(rest, Qt::AlignVCenter | Qt::AlignRight,
                         metrics.elidedText(state.kinds, Qt::ElideRight, rest.width()));
        return;
    }
    const QString window = state.windowText();
    const QString loss = ready ? state.shape.full() ? tr("CL 0") : tr("CL %1").arg(number(lossOf(layer), 3))
                               : QStringLiteral("–");
    // The window stays. Below a narrow map CL loses its name, which other labels have, and then its last digit.
    const QString shorter = ready && !state.shape.full() ? number(lossOf(layer), 2) : loss.section(u' ', -1);
    painter.setPen(theme.text2);
    QRectF rest = QRectF(text).adjusted(after, 0, 0, 0);
    if (ready) {
        painter.drawText(rest, Qt::AlignVCenter | Qt::AlignLeft, metrics.elidedText(window, Qt::ElideRight, rest.width()));
        rest.setLeft(rest.left() + metrics.horizontalAdvance(window) + scaledPixels(4));
    }
    painter.setPen(ready && !state.shape.full() ? theme.text : theme.text2);
    for (const QString& shown : {loss, loss.section(u' ', -1), shorter, QStringLiteral("…")})
        if (metrics.horizontalAdvance(shown) <= rest.width())
            return painter.drawText(rest, Qt::AlignVCenter | Qt::AlignRight, shown);
}

void LayerThumbnails::paintLayer(QPainter& painter, int layer, const QRect& cell, bool asOnScreen) {
    const auto& theme = Theme::current();
    auto& entry = m_entries[static_cast<std::size_t>(layer)];
    const QRect map = mapIn(cell);
    if (entry.state.status == ThumbnailState::Status::Ready && entry.state.map && !entry.state.map->empty()) {
        const double ratio = std::clamp(std::abs(painter.deviceTransform().m11()), 1.0, 4.0);
        const QSize pixels(static_cast<int>(map.width() * ratio), static_cast<int>(map.height() * ratio));
        painter.drawImage(map.topLeft(), imageOf(entry, pixels, ratio));
        painter.save();
        painter.setClipRect(map, Qt::IntersectClip);
        const auto edges =
            bandEdges(wholeMap(map, static_cast<std::int64_t>(entry.state.map->rows())), entry.state.shape);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.band, scaledPixels(1.25)));
        painter.drawPolyline(edges.upper);
        painter.drawPolyline(edges.lower);
        painter.restore();
        const bool hovered = asOnScreen && layer == m_hovered && m_hoveredHead < 0;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(hovered ? theme.fieldBorder : theme.line, scaledPixels(hovered ? 1.5 : 1)));
        painter.drawRect(QRectF(map).adjusted(0.5, 0.5, -0.5, -0.5));
    } else {
        paintOutline(painter, entry.state, map);
    }
    const double away = scaledPixels(2);
    const QRectF ring = QRectF(map).adjusted(-away, -away, away, away);
    painter.setBrush(Qt::NoBrush);
    if (layer == m_current) {
        painter.setPen(QPen(theme.accent, scaledPixels(2), Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.drawRect(ring);
        if (asOnScreen && hasFocus()) {
            painter.setPen(QPen(theme.crossHair, scaledPixels(1.5)));
            painter.drawRect(QRectF(map).adjusted(2, 2, -2, -2));
        }
    }
    if (layer == m_compared) {
        QPen dashed(theme.accent, scaledPixels(2), Qt::CustomDashLine, Qt::FlatCap, Qt::MiterJoin);
        dashed.setDashPattern({3, 2});
        painter.setPen(dashed);
        painter.drawRect(ring);
        const double size = 2 * Sizes::unit();
        const QRectF badge(map.right() - size - scaledPixels(2), map.top() + scaledPixels(3), size, size);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.accent);
        painter.drawRoundedRect(badge, scaledPixels(3), scaledPixels(3));
        QFont bold = Sizes::small();
        bold.setBold(true);
        painter.setFont(bold);
        painter.setPen(theme.textOnAccent);
        painter.drawText(badge, Qt::AlignCenter, tr("B"));
    }
    stripOf(layer, cell).paint(painter, asOnScreen && layer == m_current ? m_head : -1,
                               asOnScreen && layer == m_hovered ? m_hoveredHead : -1);
    paintLabel(painter, layer, cell);
}

void LayerThumbnails::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), Theme::current().panel);
    for (int layer = 0; layer < count(); ++layer)
        paintLayer(painter, layer, cell(layer, width()), true);
}

void LayerThumbnails::renderTo(QPainter& painter, const QRect& target) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(target, Theme::current().panel);
    for (int layer = 0; layer < count(); ++layer)
        paintLayer(painter, layer, cell(layer, target.width()).translated(target.topLeft()), false);
    painter.restore();
}

} // namespace headroom::widgets
