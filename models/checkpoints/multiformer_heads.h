// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"

#include <string>
#include <string_view>
#include <vector>

namespace headroom::models {

/// Reads the released Multiformer's description of its encoder (Sant et al. 2022, its option --arg-supremo):
/// a Python expression such as
///
///     6 * ((('local', 1, 64), ('compressed', 3, 5, 2, 'depthwise')),) + 6 * ((('full', 4),),)
///
/// Groups are returned in the order of that code: full, local, compressed. `place` is used in messages.
/// Throws Error "model.badConfig" for any other expression, and "model.unsupported" for 'fast' heads
/// (Performer).
std::vector<Architecture::Layer> parseMultiformerHeads(std::string_view text, const std::string& place);

} // namespace headroom::models
