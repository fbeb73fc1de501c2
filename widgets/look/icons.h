// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QString>
#include <QStringList>

namespace headroom::widgets {

/// An icon of resources/icons/NAME.svg (16 × 16, one colour) drawn in the theme's text colour (disabled:
/// text3; on an accent ground: text on accent) at any size and pixel ratio. Unknown names end the program.
/// Follows the theme: icons drawn after Theme::apply() have the new colours without being set again. A
/// toggled button's icon (QIcon::On) is accent, as its text is in the style sheet.
QIcon icon(const QString& name);
/// The same in one given colour.
QIcon icon(const QString& name, const QColor& colour);
/// For buttons whose ground is accent: always (primary), or while they are on (the workspace switch).
QIcon iconOnAccent(const QString& name);
QIcon iconOnAccentWhenOn(const QString& name);
/// Every name that icon() knows, sorted.
QStringList iconNames();

} // namespace headroom::widgets
