// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QString>
#include <QStringList>

namespace headroom::widgets {

/// Returns resources/icons/NAME.svg (16 × 16, one colour) drawn in the theme's text colour (disabled: text3;
/// on accent: text on accent) at any size and pixel ratio. Unknown names abort the program. Follows the
/// theme: after Theme::apply() icons have the new colours without being set again. A toggled button's icon
/// (QIcon::On) is accent, like its text in the style sheet.
QIcon icon(const QString& name);
/// Returns the icon in the given colour.
QIcon icon(const QString& name, const QColor& colour);
/// For buttons with an accent background: always (primary), or while checked (the workspace switch).
QIcon iconOnAccent(const QString& name);
QIcon iconOnAccentWhenOn(const QString& name);
/// Returns all icon names, sorted.
QStringList iconNames();

} // namespace headroom::widgets
