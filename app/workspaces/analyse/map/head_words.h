// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/analysis.h"
#include "core/architecture/head_groups.h"
#include "widgets/matrix/band_shape.h"

#include <QString>

namespace headroom::app {

/// "block 64 + conv", "local 17 + full", "reuse 1": a layer whose heads share no window (oneWindowOf), so that a window and
/// its CL would not say what it sees. Empty where they do. Counts and modifiers are left out. Pure.
QString otherKinds(const std::vector<HeadGroup>& heads);

/// The heads of a layer that a map is of: one head's map shows what that head sees. Pure.
std::vector<HeadGroup> headsOfMap(const std::vector<HeadGroup>& heads, const MapSource& source);

/// How the widest window of these heads lies on the map: masked heads, whose alone it may be, see nothing later. Pure.
widgets::BandShape::Kind bandKindOf(const std::vector<HeadGroup>& heads);
/// How a window that is drawn over these heads lies: masked ones beside others do not take it. Pure.
widgets::BandShape::Kind drawnKindOf(const std::vector<HeadGroup>& heads);

/// The window of these heads on the map, the widest if they differ; 0: none. Pure.
widgets::BandShape bandShapeOf(const std::vector<HeadGroup>& heads);

/// The heads of a layer as a window that is drawn on its map leaves them (withWindow); 0: full. Pure.
std::vector<HeadGroup> withDrawnWindow(const std::vector<HeadGroup>& heads, int window);

/// "local", "local and masked": the kinds of the heads whose window bandShapeOf() is. Pure.
QString kindsOfBand(const std::vector<HeadGroup>& heads);

/// Why imported maps have no such map of a layer that was read, which is known before its attention is loaded. Empty: they have it, or the
/// layer is a model's. A sentence. Pure.
QString whyNotImported(const LayerResult& layer, const MapSource& source);

/// Why a layer that was read has no such map: it is on its way, it was cancelled or refused, or there is none. A sentence. Pure.
QString missingMapText(const LayerResult& layer, const MapSource& source);

} // namespace headroom::app
