// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/time_axis/ruler.h"

#include "widgets/look/number_text.h"
#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/time_axis/ticks.h"

#include <algorithm>
#include <cmath>

#include <QPainter>
#include <QPainterPath>

namespace headroom::widgets {

Ruler::Ruler(QWidget* parent) : TimeLane(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Time ruler"));
    setAccessibleDescription(
        tr("Seconds from the start of the recording. Click sets the cursor, drag selects."));
}

QSize Ruler::sizeHint() const {
    return {leastWidth(), Sizes::smallControl()};
}

void Ruler::paintLane(QPainter& painter) {
    const Theme& theme = Theme::current();
    const QRectF plot = plotRect();
    const double unit = Sizes::unit();
    painter.fillRect(plot, theme.alternate);
    paintFrame(painter);
    painter.setFont(Sizes::small());
    painter.setPen(theme.text2);
    const QRectF gutter(0, 0, plot.left() - unit, plot.height());
    painter.drawText(gutter, Qt::AlignRight | Qt::AlignVCenter, axis() && axis()->countsTokens() ? tr("token") : QStringLiteral("s"));
    if (!hasSound())
        return;

    const auto ticks = TimeTicks::over(axis()->visible(), plot.width(), 10 * unit, axis()->unit());
    painter.setClipRect(plot);
    const auto tick = [&](Seconds time, double height) {
        const double x = std::floor(xOf(time)) + 0.5;
        painter.drawLine(QPointF(x, plot.bottom() - height), QPointF(x, plot.bottom()));
    };
    painter.setPen(QPen(theme.text3, unit / 8));
    for (const Seconds time : ticks.between)
        tick(time, unit / 2);
    for (const Seconds time : ticks.labelled)
        tick(time, 1.125 * unit);
    painter.setPen(theme.text2);
    const QFontMetricsF metrics(Sizes::small());
    const QRectF flag = axis()->cursor() ? flagRect(*axis()->cursor()) : QRectF();
    for (const Seconds time : ticks.labelled) {
        const QString label = ticks.label(time);
        const double width = metrics.horizontalAdvance(label);
        QRectF where(xOf(time) + unit / 2, 0, width + 1, plot.height() - 0.75 * unit);
        if (where.right() > plot.right()) // the last one stands before its tick
            where.moveRight(xOf(time) - unit / 2);
        // Whole or not at all: the flag of the cursor says the time there.
        if (where.left() >= plot.left() && !where.intersects(flag.adjusted(-2, -plot.height(), 2, plot.height())))
            painter.drawText(where, Qt::AlignLeft | Qt::AlignVCenter, label);
    }
}

QFont Ruler::flagFont() {
    QFont font = Sizes::small();
    font.setWeight(QFont::Bold);
    return font;
}

QString Ruler::flagText(Seconds cursor) const {
    return axis()->countsTokens() ? numberText(std::floor(cursor.value()), 0) : timeText(cursor.value(), 3);
}

/// The flag flies to the right, and to the left where the plot ends.
QRectF Ruler::flagRect(Seconds cursor) const {
    const double unit = Sizes::unit(), line = unit / 4, x = xOf(cursor);
    const double width =
        QFontMetricsF(flagFont()).horizontalAdvance(flagText(cursor)) + 1.25 * unit;
    const bool fliesRight = x - line / 2 + width <= laneRect().right();
    return {fliesRight ? x - line / 2 : x + line / 2 - width, plotRect().top() + 0.5 * unit, width, 2 * unit};
}

void Ruler::paintOverlay(QPainter& painter) {
    if (!hasSound())
        return;
    const Theme& theme = Theme::current();
    const QRectF plot = plotRect();
    const double unit = Sizes::unit();

    if (const auto selection = axis()->selection()) {
        painter.setClipRect(plot);
        QColor bar = theme.accent;
        bar.setAlphaF(0.55f);
        const double left = xOf(selection->start), right = xOf(selection->end);
        painter.fillRect(QRectF(left, plot.bottom() - 0.75 * unit, right - left, 0.75 * unit), bar);
        painter.setClipping(false);
    }
    const auto cursor = axis()->cursor();
    if (!cursor)
        return;
    const double x = xOf(*cursor);
    if (x < plot.left() - 0.5 || x > plot.right() + 0.5)
        return;
    const QString text = flagText(*cursor);
    const double line = unit / 4;
    const QRectF flag = flagRect(*cursor);
    painter.fillRect(QRectF(x - line / 2, flag.top() + unit / 2, line, plot.bottom() - flag.top() - unit / 2),
                     theme.accent);
    QPainterPath path;
    path.addRoundedRect(flag, 0.375 * unit, 0.375 * unit);
    painter.fillPath(path, theme.accent);
    painter.setFont(flagFont());
    painter.setPen(theme.textOnAccent);
    painter.drawText(flag, Qt::AlignCenter, text);
}

} // namespace headroom::widgets
