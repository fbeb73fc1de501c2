// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/text_grid.h"
#include "core/time/units.h"

#include <vector>

namespace headroom::widgets {

/// Returns the bound nearest to `time` if it is within `reach`, otherwise `time`. `bounds` ascending.
Seconds nearestBound(const std::vector<Seconds>& bounds, Seconds time, Seconds reach);

/// Returns every start and end of both tiers, ascending and unique, for snapping a selection.
std::vector<Seconds> snapBounds(const Alignment& alignment);

} // namespace headroom::widgets
