// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/figures/scene.h"

#include <vector>

namespace headroom::figures {

/// The colours of maps, on screen (widgets/look/colour_map.h) and on paper. Grey is sound; Difference is A
/// minus B, its middle no difference; both depend on the ground that they stand on.
enum class ColourScheme { Magma, Viridis, Cividis, GreyLight, GreyDark, DifferenceLight, DifferenceDark };

/// Evenly spaced from value 0 to 1, at least two; straight lines between them.
std::vector<Colour> colourPoints(ColourScheme scheme);

/// A value; immutable, safe from every thread.
class ColourTable {
public:
    explicit ColourTable(ColourScheme scheme);
    /// Values outside 0 … 1 have the end's colour; NaN that of 0.
    Colour at(double value) const;

private:
    std::vector<Colour> m_points;
};

} // namespace headroom::figures
