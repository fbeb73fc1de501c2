// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headroom::widgets {

struct Theme;

/// Returns resources/themes/window.qss for a theme: `@{role}` becomes the role's colour, `@{28}` that many
/// pixels of a 13 px font scaled to the application's font (at least 1), `@{dir}` the theme's folder of
/// glyphs. An unknown name aborts the program, because the file is our own.
QString styleSheet(const Theme& theme);

/// Takes the application's style sheet away for a scope in which a window is made, and sets it again. With a sheet Qt tells all
/// widgets below of their style whenever one gets a parent: measured, the main window took 0.7 s, and takes 0.35 s with this.
/// Sizes that the sheet gives are not known in the scope.
class StyleSheetAfterwards {
public:
    StyleSheetAfterwards();
    ~StyleSheetAfterwards();
    StyleSheetAfterwards(const StyleSheetAfterwards&) = delete;
    StyleSheetAfterwards& operator=(const StyleSheetAfterwards&) = delete;

private:
    QString m_sheet;
};

} // namespace headroom::widgets
