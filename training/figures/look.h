// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/figures/scene.h"

namespace headroom::figures {

// Headroom's style for publication: the light theme's colours (resources/themes/light.json), and sizes in
// points that are readable when the figure is printed at its own width.

inline constexpr Colour kText = rgb(0x1a1e23), kText2 = rgb(0x505a66), kLine = rgb(0xaeb6c0),
                        kGrid = rgb(0xe8ebee), kAccent = rgb(0x0b72a1), kHidden = rgb(0x5c6068),
                        kWhite = rgb(0xffffff), kBand = rgb(0x4de0ff), kBandCasing = rgb(0x06222c);
inline constexpr Colour kHeadFull = rgb(0x4e5f74), kHeadLocal = rgb(0xc38600), kHeadBlock = rgb(0xa24419),
                        kHeadConv = rgb(0x199970), kHeadMasked = rgb(0xb97cd5);

inline constexpr double kLabelSize = 7.5, kTickSize = 6.5, kSmallSize = 5.5;
inline constexpr double kAxisWidth = 0.5, kGridWidth = 0.4, kCurveWidth = 1.1, kThinCurveWidth = 0.8;
/// From the baseline to the middle of digits and capitals, as a share of the size.
inline constexpr double kMiddle = 0.36;

/// Series k (from 0) by colour and dash: runs 1–6 of the theme, then again with other dashes.
Stroke seriesStroke(std::size_t series, double width = kCurveWidth);
/// Layer l of `layers` (from 1): from dark to light by depth, with alternating dashes.
Stroke layerStroke(int layer, int layers, double width = kThinCurveWidth);
/// Returns white or nearly black, whichever is easier to read on `ground`.
Colour textOn(const Colour& ground);
/// `colour` over white.
Colour onPaper(const Colour& colour);

} // namespace headroom::figures
