// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/figures/scene.h"

namespace headroom::figures {

/// How many pixels a side of each cell gets where a map is embedded in SVG or PDF: programs that smooth
/// pictures then smooth the rims of the cells only. At least 1; about 900 pixels for the larger side.
int cellScale(const Image& image);

} // namespace headroom::figures
