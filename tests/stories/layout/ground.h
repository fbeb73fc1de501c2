// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QImage>
#include <QRectF>

namespace headroom::testing {

double contrast(const QColor& a, const QColor& b); ///< as WCAG 2.1 defines it: 1 to 21
QColor over(const QColor& top, const QColor& ground);
/// The colour that most pixels around these letters have; invalid where none prevails.
QColor groundOf(const QImage& picture, const QRectF& letters);

} // namespace headroom::testing
