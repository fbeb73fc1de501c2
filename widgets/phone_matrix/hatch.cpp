// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/phone_matrix/hatch.h"

#include "widgets/look/sizes.h"
#include "widgets/look/theme.h"
#include "widgets/matrix/map_tag.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

void hatch(QPainter& painter, const QRegion& region, const QColor& line, double step, Hatching hatching) {
    if (region.isEmpty() || step <= 0)
        return;
    painter.save();
    painter.setClipRegion(region, Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(line, scaledPixels(1.25)));
    const QRectF box = region.boundingRect();
    // x + y = a multiple of the step, wherever the region begins.
    const double first = std::floor((box.left() + box.top()) / step) * step;
    for (double sum = first; sum < box.right() + box.bottom() + step; sum += step)
        painter.drawLine(QPointF(sum - box.bottom() - 1, box.bottom() + 1),
                         QPointF(sum - box.top() + 1, box.top() - 1));
    if (hatching == Hatching::Crossed) {
        const double begin =
            std::floor((box.left() - box.bottom()) / step) * step; // x − y = a multiple of the step
        for (double difference = begin; difference < box.right() - box.top() + step; difference += step)
            painter.drawLine(QPointF(difference + box.top() - 1, box.top() - 1),
                             QPointF(difference + box.bottom() + 1, box.bottom() + 1));
    }
    painter.restore();
}

double paintUndefinedKey(QPainter& painter, const QPointF& corner, const QString& text, double step) {
    const Theme& theme = Theme::current();
    const QFontMetricsF metrics(Sizes::small());
    const QRectF box(corner, QSizeF(scaledPixels(10), scaledPixels(10)));
    painter.save();
    hatch(painter, QRegion(box.toRect()), undefinedLine(), step);
    painter.setPen(QPen(theme.buttonBorder, scaledPixels(1)));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box);
    painter.setFont(Sizes::small());
    painter.setPen(theme.text2);
    painter.drawText(QPointF(box.left(), box.bottom() + scaledPixels(2) + metrics.ascent()), text);
    painter.restore();
    return box.bottom() + scaledPixels(2) + metrics.height();
}

QColor undefinedLine() {
    const Theme& theme = Theme::current();
    QColor line = theme.hiddenCell;
    line.setAlphaF(theme.isDark ? 0.55F : 0.4F);
    return line;
}

double hatchStep(double cell) {
    return std::max(cell / 2, scaledPixels(4));
}

} // namespace headroom::widgets
