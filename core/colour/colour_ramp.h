// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/colour/colour.h"

#include <vector>

namespace headroom {

/// The colours of maps, the same on the screen (widgets/look/colour_map.h) and on paper (training/figures).
/// Grey shows sound; Difference shows A minus B, with no difference in the middle. Both depend on whether the
/// background is light or dark.
enum class ColourScheme { Magma, Viridis, Cividis, GreyLight, GreyDark, DifferenceLight, DifferenceDark };

/// A scheme's colours as a function of a value in 0 … 1, linear between published control points.
///
/// A value; immutable, thread-safe.
class ColourRamp {
public:
    explicit ColourRamp(ColourScheme scheme);
    /// Values outside 0 … 1 have the colour of the nearer end; NaN has that of 0.
    Colour at(double value) const;

private:
    std::vector<Colour> m_points; ///< evenly spaced from 0 to 1, at least two
};

} // namespace headroom
