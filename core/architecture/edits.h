// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"

#include <optional>

namespace headroom {

/// What dragging the band means: all centred-local heads get this window, full ones become local; nothing:
/// local ones become full. Block, conv, masked and reusing heads and all modifiers stay; neighbouring full or
/// local groups that became equal are joined. `window` odd ≥ 1, else Error "architecture.evenWindow", whose
/// sentence and values
/// {"suggestions"} offer the odd neighbours.
std::vector<HeadGroup> withWindow(std::vector<HeadGroup> heads, std::optional<int> window);

/// The same for one layer of a document, counted from 1. Throws std::out_of_range where there is no such
/// layer.
Architecture setLayerWindow(Architecture architecture, int layer, std::optional<int> window);

/// The window of the layer's centred-local heads; nothing where there is none. Where they differ, the widest.
std::optional<int> windowOf(const std::vector<HeadGroup>& heads);

} // namespace headroom
