// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headroom::widgets {

struct Theme;

/// resources/themes/window.qss for one theme: `@{role}` becomes the role's colour, `@{28}` that many pixels
/// of a 13 px font scaled to the application's font (never below 1), `@{dir}` the theme's folder of glyphs.
/// An unknown name ends the program: the file is ours.
QString styleSheet(const Theme& theme);

} // namespace headroom::widgets
