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
/// screen, without anything that belongs to a hand (pointer, grips, focus). Text stays text in SVG and PDF.
/// Window's thread.
struct Figure {
    QList<widgets::TimeLane*> lanes;  ///< from top to bottom, borrowed
    QList<widgets::TimeLane*> beside; ///< a second column at the right; empty: none
    QString title;                    ///< metadata of the file

    QSize size() const; ///< logical pixels at 96 to the inch
    void render(QPainter& painter) const;
    /// The suffix decides: .svg, .pdf, .png (twice as many pixels). Throws Error "export.badSuffix",
    /// "export.unwritable".
    void write(const std::filesystem::path& file) const;
};

} // namespace headroom::app
