// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>

#include <array>

namespace headroom::widgets {

/// The colours of the house by role, read from resources/themes/light.json and dark.json.
///
/// Widgets read Theme::current() when they paint and update on QEvent::PaletteChange; they keep no colour.
/// apply() sets the application's palette and style sheet, which sends that event to every widget. Window's
/// thread only.
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
    /// `name`: "light" or "dark". Reads the file from the resources, sets palette, font and style sheet on
    /// the application.
    static void apply(const QString& name);
    /// Throws headroom::Error "theme.…" naming the role that is missing or no colour.
    static Theme read(const QString& file);
    QPalette palette() const;
};

/// While it lives, Theme::current() is `theme`: pictures for paper are painted light whatever the window
/// wears. Changes neither palette nor style sheet. Window's thread only; nests.
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
