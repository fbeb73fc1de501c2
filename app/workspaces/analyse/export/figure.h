// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QSize>
#include <QString>

#include <filesystem>

class QPainter;

namespace headroom::widgets {
class TimeLane;
}

namespace headroom::app {

/// A picture of the middle of the window for paper: lanes stacked with the proportions they have on the
/// screen, without anything that belongs to a hand (pointer, grips, focus), the caption below. Light,
/// whatever the window wears. Text stays text in SVG and PDF. Window's thread.
struct Figure {
    QList<widgets::TimeLane*> lanes;  ///< from top to bottom, borrowed
    QList<widgets::TimeLane*> beside; ///< a second column at the right; empty: none
    QString title;                    ///< metadata of the file
    QString caption;                  ///< below the lanes and in the metadata; empty: none
    bool asInWindow = false;          ///< in the window's colours
    int pixels = 0;                   ///< width of a PNG, at most kMostPixels; 0: twice the screen's

    static constexpr int kMostPixels = 16000;

    QSize size() const; ///< logical pixels at 96 to the inch
    void render(QPainter& painter) const;
    /// The suffix decides: .svg, .pdf, .png. Throws Error "export.badSuffix", "export.pixels",
    /// "export.unwritable".
    void write(const std::filesystem::path& file) const;

private:
    QSize lanesSize() const;
    int captionHeight() const;
};

} // namespace headroom::app
