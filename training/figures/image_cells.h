// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/figures/scene.h"

namespace headroom::figures {

/// Returns the pixels per side of a cell when a map is embedded in SVG or PDF, so that programs that smooth
/// images smooth only the edges of cells. At least 1; about 900 pixels for the larger side.
int cellScale(const Image& image);

} // namespace headroom::figures
