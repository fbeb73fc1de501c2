// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/stories/layout/ground.h"

#include <QHash>

#include <algorithm>
#include <cmath>

namespace headroom::testing {

namespace {

constexpr double kPlainShare = 0.4; ///< of the pixels behind a text that have one colour: else it is a picture

double luminance(const QColor& colour) {
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

} // namespace

double contrast(const QColor& a, const QColor& b) {
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

QColor over(const QColor& top, const QColor& ground) {
    const float a = top.alphaF();
    return QColor::fromRgbF(top.redF() * a + ground.redF() * (1 - a), top.greenF() * a + ground.greenF() * (1 - a),
                            top.blueF() * a + ground.blueF() * (1 - a));
}

QColor groundOf(const QImage& picture, const QRectF& letters) {
    const double ratio = picture.devicePixelRatio();
    const QRectF around = letters.adjusted(-1, -1, 1, 1);
    const QRect part = QRectF(around.topLeft() * ratio, around.size() * ratio).toRect() & picture.rect();
    QHash<QRgb, int> count;
    for (int y = part.top(); y <= part.bottom(); ++y)
        for (int x = part.left(); x <= part.right(); ++x)
            ++count[picture.pixel(x, y)];
    QRgb most = 0;
    int times = 0;
    for (auto it = count.cbegin(); it != count.cend(); ++it)
        if (it.value() > times) {
            most = it.key();
            times = it.value();
        }
    return times >= kPlainShare * part.width() * part.height() ? QColor(most) : QColor();
}

} // namespace headroom::testing
