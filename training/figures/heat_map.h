// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/colour/colour_ramp.h"
#include "training/figures/plot.h"
#include "core/matrix/matrix.h"

#include <functional>
#include <string>
#include <vector>

namespace headroom::figures {

/// What colour a number has. A value.
struct ColourScale {
    ColourScheme scheme = ColourScheme::Magma;
    double low = 0, high = 1;
    bool logarithmic = false; ///< low > 0
    double gamma = 1;         ///< the colour of share^gamma; linear scales only
    std::string title;        ///< marked; above the bar where it is short, else along it
    Ticks ticks;

    /// Of the colour table, 0 … 1 inside the scale.
    double share(double value) const;
};

/// "≥ 0.04" before the last tick's label where the largest value lies beyond the scale.
void markClipping(ColourScale& scale, double largest);

inline constexpr Colour kUndefined = rgb(0xd9dde2);

/// Draws the cells, those of NaN in `undefined`; cells that would be smaller than 1/600 inch are brought
/// together, the largest of them counts, so that thin diagonals stay whole.
void drawCells(Scene& scene, const Box& box, const Matrix<double>& values, const ColourScale& scale,
               const std::function<double(std::size_t row, std::size_t column)>& opacity = {},
               const Colour& undefined = kUndefined);
/// Strokes over the cells of NaN.
void hatchUndefined(Scene& scene, const Box& box, const Matrix<double>& values);
void hatch(Scene& scene, const Box& box, std::size_t rows, std::size_t columns);

/// A bar of the scale's colours with its ticks and title at the right; returns its width, words included.
/// With `scene` null: only measured.
double drawColourBar(Scene* scene, const Box& place, const ColourScale& scale);

} // namespace headroom::figures
