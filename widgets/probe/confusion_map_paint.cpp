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

namespace {

double namesRoom() {
    double widest = 0;
    for (int phone = 0; phone <= kSilenceClass; ++phone)
        widest = std::max(widest, QFontMetricsF(Sizes::small()).horizontalAdvance(phoneName(phone)));
    return std::ceil(widest + scaledPixels(10));
}

int classOf(int place) {
    return place >= kPhoneClassCount ? kSilenceClass : phoneOrder().at(static_cast<std::size_t>(place));
}

} // namespace

double ConfusionMap::Layout::edge(int place) const {
    return std::round(place * cell);
}

ConfusionMap::Layout ConfusionMap::layOut() const {
    const double names = namesRoom(), aside = scaledPixels(76), foot = scaledPixels(22);
    Layout layout;
    layout.cell =
        std::max(1.0, std::min((width() - names - aside) / kClasses, (height() - names - foot) / kClasses));
    const double side = std::round(layout.cell * kClasses);
    const double free = std::max(0.0, width() - names - aside - side);
    layout.map = QRectF(names + std::floor(free / 2), names, side, side);
    return layout;
}

QRectF ConfusionMap::cellIn(const Layout& layout, int row, int column) const {
    return {QPointF(layout.map.left() + layout.edge(column), layout.map.top() + layout.edge(row)),
            QPointF(layout.map.left() + layout.edge(column + 1), layout.map.top() + layout.edge(row + 1))};
}

void ConfusionMap::paintEvent(QPaintEvent*) {
    const auto& theme = Theme::current();
    QPainter painter(this);
    painter.fillRect(rect(), theme.panel);
    const Layout layout = layOut();
    if (m_counts.empty())
        return paintNothing(painter, layout);
    paintCells(painter, layout);
    paintNames(painter, layout);
    paintScale(painter, layout);
    painter.setFont(Sizes::small());
    painter.setPen(theme.text2);
    const QRectF foot(layout.map.left(), layout.map.bottom(), width() - layout.map.left(), scaledPixels(22));
    painter.drawText(foot, Qt::AlignVCenter | Qt::AlignLeft,
                     QFontMetricsF(Sizes::small())
                         .elidedText(m_selected ? describe(*m_selected)
                                                : tr("predicted phone; rows: true phone, each sums to 1"),
                                     Qt::ElideRight, foot.width()));
    if (!hasFocus())
        return;
    const double width = scaledPixels(2);
    painter.setPen(QPen(theme.accent, width));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2));
}

void ConfusionMap::paintNothing(QPainter& painter, const Layout& layout) const {
    const auto& theme = Theme::current();
    const QRectF frame = layout.map.adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(QPen(theme.line, scaledPixels(1)));
    painter.setBrush(theme.alternate);
    painter.drawRect(frame);
    painter.drawLine(frame.topLeft(), frame.bottomRight());
    const QRectF room = frame.adjusted(2 * Sizes::unit(), 0, -2 * Sizes::unit(), 0);
    const QRectF text = QFontMetricsF(Sizes::text())
                            .boundingRect(room, Qt::AlignCenter | Qt::TextWordWrap, m_emptySentence);
    painter.fillRect(text.adjusted(-Sizes::unit(), -Sizes::unit(), Sizes::unit(), Sizes::unit()),
                     theme.alternate);
    painter.setFont(Sizes::text());
    painter.setPen(theme.text2);
    painter.drawText(room, Qt::AlignCenter | Qt::TextWordWrap, m_emptySentence);
}

void ConfusionMap::paintCells(QPainter& painter, const Layout& layout) const {
    const auto& theme = Theme::current();
    const ColourMap& colours = ColourMap::named(ColourMap::Name::Cividis, theme.isDark);
    QRegion undefined;
    for (int row = 0; row < kClasses; ++row)
        for (int column = 0; column < kClasses; ++column) {
            const QRectF cell = cellIn(layout, row, column);
            const double value = share({classOf(row), classOf(column)});
            if (std::isnan(value))
                undefined += cell.toRect();
            else
                painter.fillRect(cell, QColor(colours.at(value)));
        }
    hatch(painter, undefined, undefinedLine(), std::max(layout.cell / 2, scaledPixels(4)));
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
    if (m_selected) {
        const QRectF ring = cellRect(*m_selected).adjusted(-1, -1, 1, 1);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.bandCasing, scaledPixels(4)));
        painter.drawRect(ring);
        painter.setPen(QPen(theme.crossHair, scaledPixels(2)));
        painter.drawRect(ring);
    }
}

void ConfusionMap::paintNames(QPainter& painter, const Layout& layout) const {
    const auto& theme = Theme::current();
    const QFontMetricsF metrics(Sizes::small());
    painter.setFont(Sizes::small());
    // Where cells are lower than a line of text every second or third is named, the chosen ones always.
    const int every = std::max(1, static_cast<int>(std::ceil(metrics.height() * 0.8 / layout.cell)));
    for (int place = 0; place < kClasses; ++place) {
        const int phone = classOf(place);
        const bool truth = m_selected && m_selected->truth == phone;
        const bool guess = m_selected && m_selected->guess == phone;
        const QString name = phoneName(phone);
        const double at = (layout.edge(place) + layout.edge(place + 1)) / 2;
        if (place % every == 0 || truth) {
            painter.setPen(truth ? theme.accent : theme.text2);
            painter.drawText(QRectF(0, layout.map.top() + at - metrics.height() / 2,
                                    layout.map.left() - scaledPixels(4), metrics.height()),
                             Qt::AlignRight | Qt::AlignVCenter, name);
        }
        if (place % every == 0 || guess) {
            painter.save();
            painter.setPen(guess ? theme.accent : theme.text2);
            painter.translate(layout.map.left() + at, layout.map.top() - scaledPixels(4));
            painter.rotate(-90);
            painter.drawText(QRectF(0, -metrics.height() / 2, layout.map.top(), metrics.height()),
                             Qt::AlignLeft | Qt::AlignVCenter, name);
            painter.restore();
        }
    }
}

void ConfusionMap::paintScale(QPainter& painter, const Layout& layout) const {
    const auto& theme = Theme::current();
    const ColourMap& colours = ColourMap::named(ColourMap::Name::Cividis, theme.isDark);
    const double left = layout.map.right() + scaledPixels(16), width = scaledPixels(10);
    const QFontMetricsF metrics(Sizes::small());
    const double top = layout.map.top() + metrics.height() * 1.5;
    const double height = std::min(layout.map.height() * 0.6, scaledPixels(160));
    for (int y = 0; y < static_cast<int>(height); ++y)
        painter.fillRect(QRectF(left, top + y, width, 1), QColor(colours.at(1 - y / height)));
    painter.setFont(Sizes::small());
    painter.setPen(theme.text);
    painter.drawText(QPointF(left, layout.map.top() + metrics.ascent()), tr("share"));
    painter.setPen(theme.text2);
    for (const double value : {0.0, 0.25, 0.5, 0.75, 1.0})
        painter.drawText(QPointF(left + width + scaledPixels(5),
                                 top + (1 - value) * height + metrics.ascent() / 2 - scaledPixels(1)),
                         numberText(value, value == 0 || value == 1 ? 0 : 2));
}

} // namespace headroom::widgets
