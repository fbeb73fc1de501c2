// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>

#include <array>

namespace headroom::widgets {

/// Headroom's colours by role, read from resources/themes/light.json and dark.json.
///
/// Widgets read Theme::current() when they paint and update on QEvent::PaletteChange; they store no colours.
/// apply() sets the palette and style sheet of the application, which sends that event to every widget.
/// Window's thread only.
struct Theme {
    QString name; ///< "light" or "dark"
    bool isDark = false;

    QColor window, panel, alternate, header, hover, line, grid, buttonBorder, fieldBorder;
    QColor waveformPeak, waveformRms;
    QColor text, text2, text3, accent, textOnAccent, tint, selectedRow;
    QColor good, goodGround, warning, warningGround, error, errorGround;
    QColor headFull, headLocal, headBlock, headConv, headMasked;
    std::array<QColor, 6> runs;
    // On maps, in both themes:
    QColor band, bandCasing, crossHair, hiddenCell;

    static const Theme& current();
    /// Applies "light" or "dark": reads its file from the resources and sets palette, font and style sheet of
    /// the application.
    static void apply(const QString& name);
    /// Throws headroom::Error "theme.…", which names the missing or invalid role.
    static Theme read(const QString& file);
    QPalette palette() const;
};

/// While it exists, Theme::current() is `theme`: pictures for publication are painted light whatever the
/// theme of the window. Changes neither palette nor style sheet. Can be nested. Window's thread only.
class PaintedWith {
public:
    explicit PaintedWith(const Theme& theme);
    ~PaintedWith();
    PaintedWith(const PaintedWith&) = delete;
    PaintedWith& operator=(const PaintedWith&) = delete;

private:
    const Theme* m_before;
};

} // namespace headroom::widgets
