// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/head_groups.h"

#include <vector>

namespace headroom::widgets {
class RowProfile;
class WindowBand;
} // namespace headroom::widgets

namespace headroom::app {

// The window of a map on its band and in its row, alike for A and for B. `heads`: those that the map is of (headsOfMap). Window's thread.

/// What the draft has. Not while the band is dragged.
void showDraftHeads(widgets::WindowBand* band, widgets::RowProfile* row, const std::vector<HeadGroup>& heads);

/// What a drag will leave: block and conv heads, and masked ones beside others, stay what they are. `isEdited`: a window is drawn over
/// them; else they are those of the draft again.
void showDraggedHeads(widgets::WindowBand* band, widgets::RowProfile* row, const std::vector<HeadGroup>& heads, bool isEdited);

} // namespace headroom::app
