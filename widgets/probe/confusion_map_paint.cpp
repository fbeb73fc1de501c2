// SPDX-License-Identifier: GPL-3.0-or-later
// How the confusion matrix looks.
#include "widgets/look/colour_map.h"
#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/map_tag.h"
#include "widgets/phone_matrix/hatch.h"
#include "widgets/probe/confusion_map.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

double ConfusionMap::Layout::edge(int place) const {
    return std::round(place * cell);
}

QSizeF ConfusionMap::roomAround(double names) {
    return {names + scaledPixels(76), names + scaledPixels(22)};
}

double ConfusionMap::namedCell() {
    return QFontMetricsF(Sizes::small()).height() * 0.8;
}

QSize ConfusionMap::figureSize() const {
    if (m_counts.empty())
        return size();
    const double side = namedCell() * kClasses + 1;
    const QSizeF needed = roomAround(phoneNamesRoom()) + QSizeF(side, side);
    return size().expandedTo({static_cast<int>(std::ceil(needed.width())), static_cast<int>(std::ceil(needed.height()))});
}

ConfusionMap::Layout ConfusionMap::layoutIn(const QRectF& target) const {
    const double names = phoneNamesRoom();
    const QSizeF inside = target.size() - roomAround(names);
    Layout layout;
    layout.cell = std::max(1.0, std::min(inside.width(), inside.height()) / kClasses);
    const double side = std::round(layout.cell * kClasses);
    const double free = std::max(0.0, inside.width() - side);
    layout.map = QRectF(target.left() + names + std::floor(free / 2), target.top() + names, side, side);
    return layout;
}

QRectF ConfusionMap::cellIn(const Layout& layout, int row, int column) const {
    return {QPointF(layout.map.left() + layout.edge(column), layout.map.top() + layout.edge(row)),
            QPointF(layout.map.left() + layout.edge(column + 1), layout.map.top() + layout.edge(row + 1))};
}

void ConfusionMap::paint(QPainter& painter, const QRectF& target) const {
    const auto& theme = Theme::current();
    painter.fillRect(target, theme.panel);
    const Layout layout = layoutIn(target);
    if (m_counts.empty())
        return paintNothing(painter, layout);
    paintCells(painter, layout);
    paintNames(painter, layout);
    paintLegend(painter, layout);
    painter.setFont(Sizes::small());
    painter.setPen(theme.text2);
    const QRectF foot(layout.map.left(), layout.map.bottom(), target.right() - layout.map.left(),
                      scaledPixels(22));
    const auto marked = cellOf(markedPlace());
    painter.drawText(foot, Qt::AlignVCenter | Qt::AlignLeft,
                     QFontMetricsF(Sizes::small())
                         .elidedText(marked ? describe(*marked) : footText(), Qt::ElideRight, foot.width()));
}

void ConfusionMap::paintNothing(QPainter& painter, const Layout& layout) const {
    const auto& theme = Theme::current();
    const QRectF frame = layout.map.adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(QPen(theme.line, scaledPixels(1)));
    painter.setBrush(theme.alternate);
    painter.drawRect(frame);
    painter.drawLine(frame.topLeft(), frame.bottomRight());
    paintEmptySentence(painter, frame);
}

void ConfusionMap::paintCells(QPainter& painter, const Layout& layout) const {
    const auto& theme = Theme::current();
    const ColourMap& colours = ColourMap::named(ColourMap::Name::Cividis, theme.isDark);
    QRegion undefined;
    for (int row = 0; row < kClasses; ++row)
        for (int column = 0; column < kClasses; ++column) {
            const QRectF cell = cellIn(layout, row, column);
            const double value = share({classAt(row), classAt(column)});
            if (std::isnan(value))
                undefined += cell.toRect();
            else
                painter.fillRect(cell, QColor(colours.at(value)));
        }
    hatch(painter, undefined, undefinedLine(), hatchStep(layout.cell));
    painter.setPen(QPen(theme.panel, scaledPixels(1)));
    for (const PhoneGroup& group : phoneGroups()) {
        if (group.first == 0)
            continue;
        const double at = layout.edge(group.first);
        painter.drawLine(QPointF(layout.map.left() + at, layout.map.top()),
                         QPointF(layout.map.left() + at, layout.map.bottom()));
        painter.drawLine(QPointF(layout.map.left(), layout.map.top() + at),
                         QPointF(layout.map.right(), layout.map.top() + at));
    }
    paintRings(painter, [&](Place place) {
        return cellIn(layout, place.row, place.column).adjusted(-1, -1, 1, 1);
    });
}

void ConfusionMap::paintNames(QPainter& painter, const Layout& layout) const {
    const auto& theme = Theme::current();
    const QFontMetricsF metrics(Sizes::small());
    painter.setFont(Sizes::small());
    const int every = std::max(1, static_cast<int>(std::ceil(namedCell() / layout.cell)));
    const double room = phoneNamesRoom();
    const auto marked = markedPlace();
    for (int place = 0; place < kClasses; ++place) {
        const QString name = phoneName(classAt(place));
        const double at = (layout.edge(place) + layout.edge(place + 1)) / 2;
        if (isLabelled(place, marked ? marked->row : -1, every)) {
            painter.setPen(marked && marked->row == place ? theme.accent : theme.text2);
            painter.drawText(QRectF(layout.map.left() - room,
                                    layout.map.top() + at - metrics.height() / 2,
                                    room - scaledPixels(4), metrics.height()),
                             Qt::AlignRight | Qt::AlignVCenter, name);
        }
        if (isLabelled(place, marked ? marked->column : -1, every)) {
            painter.save();
            painter.setPen(marked && marked->column == place ? theme.accent : theme.text2);
            painter.translate(layout.map.left() + at, layout.map.top() - scaledPixels(4));
            painter.rotate(-90);
            painter.drawText(QRectF(0, -metrics.height() / 2, room, metrics.height()),
                             Qt::AlignLeft | Qt::AlignVCenter, name);
            painter.restore();
        }
    }
}

void ConfusionMap::paintLegend(QPainter& painter, const Layout& layout) const {
    const auto& theme = Theme::current();
    const QFontMetricsF metrics(Sizes::small());
    painter.setFont(Sizes::small());
    painter.setPen(theme.text);
    const QRectF strip(layout.map.right() + scaledPixels(16), layout.map.top() + metrics.height() * 1.5,
                       scaledPixels(10), std::min(layout.map.height() * 0.6, scaledPixels(160)));
    painter.drawText(QPointF(strip.left(), layout.map.top() + metrics.ascent()), tr("share"));
    std::vector<Tick> ticks;
    for (const double value : {0.0, 0.25, 0.5, 0.75, 1.0})
        ticks.push_back({value, numberText(value, value == 0 || value == 1 ? 0 : 2)});
    paintScale(painter, strip, ColourMap::named(ColourMap::Name::Cividis, theme.isDark), ticks);
    const QPointF key = strip.bottomLeft() + QPointF(0, scaledPixels(12));
    const bool hasRoom = key.y() + 1.5 * metrics.height() <= layout.map.bottom(); // above the foot; the tip says it, too
    if (hasRoom && std::find(m_rows.begin(), m_rows.end(), 0.0) != m_rows.end())
        paintUndefinedKey(painter, key, tr("not spoken"), hatchStep(layout.cell));
}

} // namespace headroom::widgets
