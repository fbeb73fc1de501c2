// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace headroom::models {

/// How far a learnt distance reaches; farther keys share the last vector.
struct RelativeKeyReach {
    std::int64_t left = 64, right = 8; ///< tokens before and after the query
};

} // namespace headroom::models
