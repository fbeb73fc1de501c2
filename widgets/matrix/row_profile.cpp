// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/matrix/row_profile.h"

#include "core/statistics/undefined.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/map_raster.h"
#include "widgets/matrix/map_tag.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

namespace {

/// The next "round" number from above: 0.0641 becomes 0.07.
double roundedUp(double value) {
    if (!(value > 0))
        return 1;
    const double decade = std::pow(10, std::floor(std::log10(value)));
    return std::ceil(value / decade - 1e-9) * decade;
}

} // namespace

RowProfile::RowProfile(QWidget* parent) : TimeLane(parent) {
    updateDescription();
}

void RowProfile::setAxis(TimeAxis* newAxis) {
    TimeLane::setAxis(newAxis);
    if (newAxis)
        connect(newAxis, &TimeAxis::cursorChanged, this, [this] {
            updateDescription();
            update();
        });
    updateDescription();
}

void RowProfile::setMatrix(std::shared_ptr<const MaxPyramid> map, const TokenClock& clock) {
    m_map = std::move(map);
    if (m_map && (m_map->empty() || m_map->rows() != m_map->columns()))
        m_map.reset();
    m_clock = clock;
    updateDescription();
    update();
}

void RowProfile::setPart(std::optional<TimeSpan> part) {
    if (part == m_part)
        return;
    m_part = part;
    updateDescription();
    update();
}

void RowProfile::setSigned(bool isSigned) {
    m_signed = isSigned;
    updateDescription();
    update();
}

void RowProfile::setWindow(const BandShape& shape, bool isOfAllHeads) {
    m_shape = isOfAllHeads ? shape : BandShape();
    m_isOfAllHeads = isOfAllHeads;
    updateDescription();
    update();
}

void RowProfile::setHideDiagonal(bool hide) {
    m_hideDiagonal = hide;
    update();
}

std::optional<Tokens> RowProfile::row() const {
    if (!m_map || !axis() || !axis()->cursor())
        return std::nullopt;
    return tokenUnder(*axis()->cursor(), m_clock, Tokens(static_cast<std::int64_t>(m_map->rows())),
                      axis()->extent(), m_part);
}

double RowProfile::outside() const {
    const auto query = row();
    if (!query || !m_isOfAllHeads)
        return kUndefined;
    const auto cells = m_map->level(0).row(static_cast<std::size_t>(query->value()));
    const auto [first, last] = m_shape.keysOf(query->value(), static_cast<std::int64_t>(cells.size()));
    double total = 0, inside = 0;
    for (std::size_t key = 0; key < cells.size(); ++key) {
        if (std::isnan(cells[key]))
            continue;
        total += static_cast<double>(cells[key]);
        if (static_cast<std::int64_t>(key) >= first && static_cast<std::int64_t>(key) < last)
            inside += static_cast<double>(cells[key]);
    }
    return total > 0 ? std::max(1 - inside / total, 0.0) : kUndefined;
}

double RowProfile::scaleMaximum() const {
    const auto query = row();
    if (!query)
        return 1;
    const auto cells = m_map->level(0).row(static_cast<std::size_t>(query->value()));
    double largest = 0;
    for (std::size_t key = 0; key < cells.size(); ++key)
        if (!(m_hideDiagonal && static_cast<std::int64_t>(key) == query->value()) && !std::isnan(cells[key]))
            largest = std::max(largest, static_cast<double>(m_signed ? std::abs(cells[key]) : cells[key]));
    return roundedUp(largest);
}

void RowProfile::paintBars(QPainter& painter, Tokens query) const {
    const auto& theme = Theme::current();
    const QRectF plot = plotRect();
    const auto count = static_cast<std::int64_t>(m_map->columns());
    const auto row = static_cast<std::size_t>(query.value());
    const auto [first, last] = m_shape.keysOf(query.value(), count);
    const auto cellLeft = [this](std::int64_t token) { return xOf(m_clock.cellStart(Tokens(token))); };
    if (!m_shape.full())
        painter.fillRect(QRectF(QPointF(cellLeft(first), plot.top()), QPointF(cellLeft(last), plot.bottom())),
                         theme.tint);
    const double top = scaleMaximum();
    const double usable = (plot.height() - scaledPixels(4)) / (m_signed ? 2 : 1);
    const double ground = m_signed ? plot.center().y() : plot.bottom();
    // One bar per cell; where cells are narrower than a pixel and a half, one per pixel with their maximum.
    const double tokenWidth = cellLeft(1) - cellLeft(0);
    std::vector<CellRange> bars;
    if (tokenWidth >= 1.5)
        for (std::int32_t key = 0; key < count; ++key)
            bars.push_back({key, key + 1});
    else
        bars = cellsOfPixels(axis()->visible(), static_cast<int>(plot.width()), m_clock, count);
    const double gap = tokenWidth >= scaledPixels(4) ? scaledPixels(1) : 0;
    for (std::size_t index = 0; index < bars.size(); ++index) {
        const auto [from, to] = bars[index];
        float value = 0;
        for (auto key = from; key < to; ++key) {
            const float one = m_map->level(0)(row, static_cast<std::size_t>(key));
            if (!(m_hideDiagonal && key == query.value()) &&
                (m_signed ? std::abs(one) > std::abs(value) : one > value))
                value = one;
        }
        const double height = std::clamp(static_cast<double>(value) / top, -1.0, 1.0) * usable;
        const double left = tokenWidth >= 1.5 ? cellLeft(from) : plot.left() + static_cast<double>(index);
        const double width = tokenWidth >= 1.5 ? cellLeft(to) - left - gap : 1;
        const bool inside = from >= first && from < last;
        painter.fillRect(QRectF(left, ground - height, width, height).normalized(),
                         inside ? theme.accent : theme.fieldBorder);
    }
}

void RowProfile::paintLane(QPainter& painter) {
    const auto query = row();
    if (!query || !hasSound()) {
        paintEmpty(painter, emptySentence());
        return;
    }
    const auto& theme = Theme::current();
    const QRectF plot = plotRect();
    painter.save();
    painter.setClipRect(plot, Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing, plot.width() / static_cast<double>(m_map->columns()) < 4);
    paintBars(painter, *query);
    painter.restore();
    painter.setPen(QPen(theme.line, scaledPixels(1)));
    for (const double y : {plot.bottom(), m_signed ? std::floor(plot.center().y()) : plot.bottom()})
        painter.drawLine(QPointF(plot.left(), y - 0.5), QPointF(plot.right(), y - 0.5));

    painter.setFont(Sizes::small());
    const QFontMetricsF metrics(Sizes::small());
    const double edge = plot.left() - scaledPixels(7);
    const auto left = [&](const QString& text, double baseline, const QColor& colour) {
        painter.setPen(colour);
        painter.drawText(QPointF(edge - metrics.horizontalAdvance(text), baseline), text);
    };
    const double top = scaleMaximum();
    const int decimals = std::clamp(-static_cast<int>(std::floor(std::log10(top) + 1e-9)), 0, 6);
    left(number(top, decimals), plot.top() + metrics.ascent(), theme.text2);
    left(m_signed ? number(-top, decimals) : QStringLiteral("0"), plot.bottom() - scaledPixels(1),
         theme.text2);
    if (plot.height() >= 3 * metrics.height() - scaledPixels(8))
        left(tr("row %1").arg(query->value()), plot.center().y() + metrics.ascent() / 2 - scaledPixels(1),
             theme.text);
    const double right = plot.right() + scaledPixels(6);
    if (m_signed) { // what is outside a window has no share in a difference
        painter.setPen(theme.text2);
        painter.drawText(QPointF(right, plot.top() + metrics.ascent()), tr("A − B"));
        return;
    }
    painter.setPen(theme.text2);
    painter.drawText(QPointF(right, plot.top() + metrics.ascent()), tr("outside"));
    QFont bold = Sizes::small();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(theme.text);
    painter.drawText(QPointF(right, plot.top() + metrics.ascent() + metrics.height()),
                     outsideText());
}

bool RowProfile::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return TimeLane::event(event);
    const auto* help = static_cast<const QHelpEvent*>(event);
    if (!row()) { // beside a button, the sentence may be elided
        QToolTip::showText(help->globalPos(), emptySentence(), this);
        return true;
    }
    if (help->pos().x() <= plotRect().right() || m_signed)
        return TimeLane::event(event);
    QToolTip::showText(help->globalPos(),
                       m_isOfAllHeads ? tr("Share of this row outside the window in the draft")
                                      : tr("In the draft, no single window describes what the heads of this map see. The map of one full, "
                                           "local or masked head has its own."),
                       this);
    return true;
}

QString RowProfile::emptySentence() const {
    return !m_map                       ? QString()
           : axis() && axis()->cursor() ? tr("The cursor is outside the analysed part.")
                                        : tr("Click the map to see the row of a query.");
}

QString RowProfile::outsideText() const {
    return m_shape.full() && m_isOfAllHeads ? QStringLiteral("0") : number(outside(), 3);
}

void RowProfile::updateDescription() {
    setAccessibleName(tr("Row of the query"));
    const auto query = row();
    if (query && m_signed)
        return setAccessibleDescription(tr("Row %1, A − B.").arg(query->value()));
    setAccessibleDescription(query ? tr("Row %1, outside the window %2.")
                                         .arg(query->value())
                                         .arg(outsideText())
                                   : tr("No row: no map, no cursor, or a cursor outside the analysed part."));
}

QSize RowProfile::sizeHint() const {
    return minimumSizeHint();
}

QSize RowProfile::minimumSizeHint() const {
    return {static_cast<int>(20 * Sizes::unit()) + 2 * Sizes::gutter(),
            static_cast<int>(6 * Sizes::unit())};
}

} // namespace headroom::widgets
