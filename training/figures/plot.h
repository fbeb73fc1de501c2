// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/figures/look.h"
#include "training/figures/ticks.h"

#include <span>
#include <string>
#include <vector>

namespace headroom::figures {

/// One axis of a plot.
struct Axis {
    std::string title; ///< markup, "μ + σ_{1}" (runs()); empty: none
    double low = 0, high = 1;
    Ticks ticks;
    bool logarithmic = false;
    bool named = true; ///< labels at the ticks; false: the neighbouring panel has them
    bool grid = true;
    std::vector<std::string> others{}; ///< labels of the panels above and below: the titles of all stand in one line
};

/// "(a)", or the contents of a panel, above its frame on the left.
struct PlotTitle {
    std::string text;
    double size = kLabelSize;
};

/// A rectangular plot on a scene: grid first, then its contents (clipped to the frame), then axes by close().
/// The scene must outlive it.
class Plot {
public:
    /// The space that tick labels and titles of the axes need beside the frame.
    struct Margins {
        double left = 0, bottom = 0;
    };
    static Margins margins(const Axis& x, const Axis& y);

    Plot(Scene& scene, const Box& frame, Axis x, Axis y);

    const Box& frame() const { return m_frame; }
    double x(double value) const { return m_frame.x + place(m_x, value) * m_frame.width; }
    double y(double value) const { return m_frame.bottom() - place(m_y, value) * m_frame.height; }

    /// NaN breaks the line.
    void line(std::span<const double> xs, std::span<const double> ys, const Stroke& stroke);
    /// Between low and high.
    void band(std::span<const double> xs, std::span<const double> low, std::span<const double> high,
              const Colour& fill);
    void bar(double from, double to, double height, const Colour& fill);
    void errorBar(double at, double low, double high, const Stroke& stroke, double cap = 2.4);
    /// Shapes 0 … 5: disc, square, triangle, diamond, ring, cross.
    void marker(double atX, double atY, int shape, const Colour& colour, double size = 3.2);
    /// A line across the whole plot at y (or x), with text at the end of the upright one. What a level means is said in the legend,
    /// because text on a plot has no place that no curve crosses.
    void levelLine(double atY, const Stroke& stroke);
    void uprightLine(double atX, const Stroke& stroke, const std::string& words = {});
    void title(const PlotTitle& title);
    void close();

private:
    Clip clip() const;
    static double place(const Axis& axis, double value);
    void grid();

    Scene& m_scene;
    Scene m_markers; ///< drawn last and unclipped, also on the axes
    Box m_frame;
    Axis m_x, m_y;
    bool m_closed = false;
};

/// The outline of a marker around a point.
void drawMarker(Scene& scene, Position at, int shape, const Colour& colour, double size = 3.2);

/// Draws text in the usual sizes and colours.
void words(Scene& scene, Position at, const std::string& marked, double size = kTickSize,
           Anchor anchor = Anchor::Start, const Colour& colour = kText2, bool bold = false,
           double rotation = 0);

/// The meaning of a line or an area.
struct LegendEntry {
    std::string name; ///< marked
    Stroke stroke;
    int marker = -1;     ///< −1: none
    bool filled = false; ///< an area of the stroke's colour instead of a line
};
/// Draws entries in rows from the left and returns their height. With `scene` null: only measures.
double drawLegend(Scene* scene, Position at, double width, std::span<const LegendEntry> entries);
/// Draws the legend of a figure of one plot, above it and as wide. Returns where the plot begins below. With `scene` null: only measures.
double drawLegendAbove(Scene* scene, const Axis& x, const Axis& y, double wide, std::span<const LegendEntry> entries);

} // namespace headroom::figures
