// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QRect>
#include <QSize>
#include <QString>

#include <array>
#include <filesystem>
#include <functional>
#include <vector>

class QPainter;
class QWidget;

namespace headroom::widgets {
class TimeLane;
}

namespace headroom::app {

/// A picture of a part of the window for paper, with the proportions it has on the screen, without anything that belongs to a hand (pointer, grips, focus), the caption below. Light,
/// whatever the window wears. Text stays text in SVG and PDF. Window's thread.
struct Figure {
    /// A view and where it stands, in logical pixels.
    struct Part {
        QWidget* widget; ///< borrowed
        QRect place;
        std::function<void(QPainter&, const QRect&)> draw;
    };
    std::vector<Part> parts;
    /// Adds lanes from top to bottom, at the right of what is there; none: nothing.
    void addColumn(const QList<widgets::TimeLane*>& lanes);
    QString title;                    ///< metadata of the file
    QString caption;                  ///< below the lanes and in the metadata; empty: none
    bool asInWindow = false;          ///< in the window's colours
    int pixels = 0;                   ///< width of a PNG, at most kMostPixels; 0: twice the screen's

    static constexpr int kMostPixels = 16000;
    static constexpr std::array kSuffixes{"pdf", "svg", "png"}; ///< that write() knows

    QSize size() const; ///< logical pixels at 96 to the inch
    void render(QPainter& painter) const;
    /// The suffix decides. Throws Error "export.badSuffix", "export.pixels",
    /// "export.unwritable".
    void write(const std::filesystem::path& file) const;

private:
    QSize partsSize() const;
    int captionHeight() const;
};

} // namespace headroom::app
