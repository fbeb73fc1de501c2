// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/matrix/map_tag.h"

#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"

#include <QFontMetricsF>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headroom::widgets {

namespace {

constexpr double kPadding = 8, kLeading = 3;

QFont fontOf(const MapTag::Line& line) {
    QFont font = Sizes::caption();
    font.setBold(line.bold);
    return font;
}

} // namespace

double scaledPixels(double atHundred) {
    return atHundred * Sizes::unit() / 8;
}

QString number(double value, int decimals) {
    return numberText(value, decimals);
}

bool MapTag::operator==(const MapTag& other) const {
    return edge == other.edge &&
           std::equal(lines.begin(), lines.end(), other.lines.begin(), other.lines.end(),
                      [](const Line& a, const Line& b) { return a.text == b.text && a.bold == b.bold; });
}

QSizeF MapTag::size() const {
    double width = 0, height = 2 * scaledPixels(kPadding) - scaledPixels(kLeading + 2);
    for (const auto& line : lines) {
        const QFontMetricsF metrics(fontOf(line));
        width = std::max(width, metrics.horizontalAdvance(line.text));
        height += metrics.ascent() + metrics.descent() - scaledPixels(2) + scaledPixels(kLeading);
    }
    return {std::ceil(width + 2 * scaledPixels(kPadding)), std::ceil(height)};
}

MapTag MapTag::within(double width) const {
    const double room = width - 2 * scaledPixels(kPadding);
    MapTag fitting;
    fitting.edge = edge;
    for (Line line : lines) {
        const QFontMetricsF metrics(fontOf(line));
        while (metrics.horizontalAdvance(line.text) > room) {
            qsizetype end = line.text.lastIndexOf(u' ');
            while (end > 0 && metrics.horizontalAdvance(line.text.left(end)) > room)
                end = line.text.lastIndexOf(u' ', end - 1);
            if (end <= 0)
                break; // one word
            fitting.lines.push_back({line.text.left(end), line.bold});
            line.text.remove(0, end + 1);
        }
        fitting.lines.push_back(line);
    }
    return fitting;
}

void MapTag::paint(QPainter& painter, QPointF topLeft) const {
    const auto& theme = Theme::current();
    const QRectF box(topLeft, size());
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QColor ground = edge.isValid() ? theme.bandCasing : QColor(Qt::black);
    ground.setAlphaF(0.9F);
    QColor quiet = theme.crossHair;
    quiet.setAlphaF(0.45F);
    painter.setPen(QPen(edge.isValid() ? edge : quiet, scaledPixels(1)));
    painter.setBrush(ground);
    const double inset = scaledPixels(0.5);
    painter.drawRoundedRect(box.adjusted(inset, inset, -inset, -inset), scaledPixels(4), scaledPixels(4));
    painter.setPen(theme.crossHair);
    double y = box.top() + scaledPixels(kPadding - 2);
    for (const auto& line : lines) {
        const QFontMetricsF metrics(fontOf(line));
        painter.setFont(fontOf(line));
        painter.drawText(QPointF(box.left() + scaledPixels(kPadding), y + metrics.ascent() - scaledPixels(1)),
                         line.text);
        y += metrics.ascent() + metrics.descent() - scaledPixels(2) + scaledPixels(kLeading);
    }
    painter.restore();
}

QPointF MapTag::placed(QPointF anchor, double distance, const QRectF& bounds, const QRectF& spared) const {
    const QSizeF need = size();
    const double margin = scaledPixels(4);
    const auto within = [margin](double at, double length, double from, double to) {
        return std::max(from + margin, std::min(at, to - length - margin));
    };
    const bool left = anchor.x() + distance + need.width() > bounds.right();
    const bool above = anchor.y() + distance + need.height() > bounds.bottom();
    const auto at = [&](bool toLeft, bool upwards) {
        const double x = toLeft ? anchor.x() - distance - need.width() : anchor.x() + distance;
        const double y = upwards ? anchor.y() - distance - need.height() : anchor.y() + distance;
        return QPointF(within(x, need.width(), bounds.left(), bounds.right()), within(y, need.height(), bounds.top(), bounds.bottom()));
    };
    for (const auto& [toLeft, upwards] : {std::pair{left, above}, {!left, above}, {left, !above}, {!left, !above}})
        if (const QRectF place(at(toLeft, upwards), need); !place.intersects(spared) && !place.contains(anchor))
            return place.topLeft();
    return at(left, above);
}

MapTagWidget::MapTagWidget(QWidget* parent) : QWidget(parent) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

void MapTagWidget::show(const MapTag& tag, QPointF topLeft) {
    if (tag.lines.isEmpty()) {
        hide();
        return;
    }
    const bool changed = !(tag == m_tag);
    m_tag = tag;
    setGeometry(QRect(topLeft.toPoint(), tag.size().toSize()));
    raise();
    QWidget::show();
    if (changed)
        update();
}

void MapTagWidget::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    m_tag.paint(painter, {0, 0});
}

void strokeOnMap(QPainter& painter, const QPolygonF& line, const QColor& colour, double width,
                 Qt::PenStyle style) {
    if (line.size() < 2)
        return;
    QPen casing(Theme::current().bandCasing, width + scaledPixels(1.75), Qt::SolidLine, Qt::FlatCap,
                Qt::MiterJoin);
    QPen pen(colour, width, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin);
    if (style != Qt::SolidLine) {
        pen.setDashPattern({3, 2});
        casing.setDashPattern({3 * width / casing.widthF(), 2 * width / casing.widthF()});
    }
    painter.setBrush(Qt::NoBrush);
    // One straight line goes past Qt's stroker, fifteen times faster than a polyline of two points.
    const auto draw = [&] {
        if (line.size() == 2)
            painter.drawLine(line[0], line[1]);
        else
            painter.drawPolyline(line);
    };
    painter.setPen(casing);
    draw();
    painter.setPen(pen);
    draw();
}

} // namespace headroom::widgets
