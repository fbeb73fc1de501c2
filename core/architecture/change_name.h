// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"

#include <string>

namespace headroom {

/// Says in a few words what tells `to` from `from`, for the name of a run: "layer 6: 29 → 19",
/// "layers 4–12: full → 9", "9 layers", "layer 2: full → conv 5/2, decoder". Empty if nothing differs but the
/// name and the source. Windows that hold for a whole layer are written as their number. At most three layers or
/// ranges are listed, otherwise their count.
std::string changeName(const Architecture& from, const Architecture& to);

} // namespace headroom
