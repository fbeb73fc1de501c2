// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headroom::widgets {

struct Theme;

/// Returns resources/themes/window.qss for a theme: `@{role}` becomes the role's colour, `@{28}` that many
/// pixels of a 13 px font scaled to the application's font (at least 1), `@{dir}` the theme's folder of
/// glyphs. An unknown name aborts the program, because the file is our own.
QString styleSheet(const Theme& theme);

} // namespace headroom::widgets
