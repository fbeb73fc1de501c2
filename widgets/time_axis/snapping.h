// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/text_grid.h"
#include "core/time/units.h"

#include <vector>

namespace headroom::widgets {

/// The bound nearest to `time` if it lies within `reach`, else `time`. `bounds` ascending.
Seconds nearestBound(const std::vector<Seconds>& bounds, Seconds time, Seconds reach);

/// Every start and end of both tiers, ascending, each once: what a dragged selection snaps to.
std::vector<Seconds> snapBounds(const Alignment& alignment);

} // namespace headroom::widgets
