// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/phone_matrix/hatch.h"

#include "widgets/look/theme.h"
#include "widgets/matrix/map_tag.h"

#include <QPainter>

#include <cmath>

namespace headroom::widgets {

void hatch(QPainter& painter, const QRegion& region, const QColor& line, double step) {
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
    painter.restore();
}

QColor undefinedLine() {
    const Theme& theme = Theme::current();
    QColor line = theme.hiddenCell;
    line.setAlphaF(theme.isDark ? 0.55F : 0.4F);
    return line;
}

} // namespace headroom::widgets
