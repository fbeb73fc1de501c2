// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/colour/colour_ramp.h"
#include "training/figures/plot.h"
#include "core/matrix/matrix.h"

#include <functional>
#include <string>
#include <vector>

namespace headroom::figures {

/// Maps numbers to colours. A value.
struct ColourScale {
    ColourScheme scheme = ColourScheme::Magma;
    double low = 0, high = 1;
    bool logarithmic = false; ///< low > 0
    double gamma = 1;         ///< the colour of share^gamma; linear scales only
    std::string title;        ///< markup; above the bar if short, otherwise along it
    Ticks ticks;

    /// Returns the position in the colour table, 0 … 1 inside the scale.
    double share(double value) const;
};

/// Puts "≥ 0.04" before the last tick's label if the largest value exceeds the scale.
void markClipping(ColourScale& scale, double largest);

inline constexpr Colour kUndefined = rgb(0xd9dde2);

/// Draws the cells, NaN in `undefined`. Cells smaller than 1/600 inch are merged by maximum, so that thin
/// diagonals stay whole.
void drawCells(Scene& scene, const Box& box, const Matrix<double>& values, const ColourScale& scale,
               const std::function<double(std::size_t row, std::size_t column)>& opacity = {},
               const Colour& undefined = kUndefined);
/// Hatches the cells of NaN.
void hatchUndefined(Scene& scene, const Box& box, const Matrix<double>& values);
void hatch(Scene& scene, const Box& box, std::size_t rows, std::size_t columns);

/// Draws a colour bar with ticks and title on the right; returns its width including text. With `scene` null:
/// only measures.
double drawColourBar(Scene* scene, const Box& place, const ColourScale& scale);

} // namespace headroom::figures
