// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/map/band_heads.h"

#include "app/workspaces/analyse/map/head_words.h"
#include "core/architecture/edits.h"
#include "widgets/matrix/row_profile.h"
#include "widgets/matrix/window_band.h"

namespace headroom::app {

void showDraftHeads(widgets::WindowBand* band, widgets::RowProfile* row, const std::vector<HeadGroup>& heads) {
    band->setKind(bandKindOf(heads));
    band->setWindow(windowOf(heads).value_or(0));
    band->setKinds(otherKinds(heads));
    row->setWindow(band->shape(), band->isOfAllHeads());
}

void showDraggedHeads(widgets::WindowBand* band, widgets::RowProfile* row, const std::vector<HeadGroup>& heads, bool isEdited) {
    band->setKind(isEdited ? drawnKindOf(heads) : bandKindOf(heads));
    band->setKinds(otherKinds(heads));
    row->setWindow(bandShapeOf(heads), oneWindowOf(heads).has_value());
}

} // namespace headroom::app
