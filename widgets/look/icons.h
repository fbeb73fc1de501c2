// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QString>

namespace headroom::widgets {

/// An icon of resources/icons/NAME.svg (16 × 16, one colour) drawn in the theme's text colour (disabled: text3; on an
/// accent ground: text on accent) at any size and pixel ratio. Unknown names are an assert. Follows the theme: icons drawn
/// after Theme::apply() have the new colours without being set again.
QIcon icon(const QString& name);
/// The same in one given colour.
QIcon icon(const QString& name, const QColor& colour);

} // namespace headroom::widgets
