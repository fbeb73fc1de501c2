// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"

#include <optional>

namespace headroom {

/// Returns the heads after the band was dragged to `window`: all centred-local heads get it, and full ones
/// become local. With `nullopt` local heads become full. Block, conv, masked and reusing heads and all
/// modifiers stay. In a layer of masked heads alone they keep their mask and get the window, or with
/// `nullopt` none. Neighbouring groups that become equal are merged. `window` is odd ≥ 1; otherwise throws
/// Error "architecture.evenWindow" with the odd neighbours in its sentence and in values
/// {"suggestions"}.
std::vector<HeadGroup> withWindow(std::vector<HeadGroup> heads, std::optional<int> window);

/// Does the same for one layer of a document, counted from 1. Throws std::out_of_range for a missing layer.
Architecture setLayerWindow(Architecture architecture, int layer, std::optional<int> window);

/// Removes the published parameter count and the note of what it leaves out, which do not hold for an edited architecture.
void dropPublishedCount(Architecture& architecture);

/// Returns the window of the layer's centred-local heads and of masked heads that have one, the widest if
/// they differ; `nullopt` if there are none.
std::optional<int> windowOf(const std::vector<HeadGroup>& heads);

/// Returns the window that all heads share: 0 where all are full, or all are masked without a window.
/// `nullopt` where they differ or are of other kinds: then no single D(w) says what the layer sees.
std::optional<int> oneWindowOf(const std::vector<HeadGroup>& heads);

/// Returns whether a window changes anything in the layer: full and centred-local heads take one, and masked
/// heads among themselves.
bool takesWindow(const std::vector<HeadGroup>& heads);

} // namespace headroom
