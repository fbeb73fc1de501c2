// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/receptive_field.h"
#include "core/architecture/edits.h"

#include <algorithm>

namespace headroom {

/// The window, in tokens, that bounds what a layer (from 1) of this encoder attends to, that of the map it
/// reuses included; 0: some of its heads see further. No wider one is suggested, because there is nothing
/// between the two. Pure.
inline int boundingWindow(const Architecture::Encoder& encoder, int layer) {
    int widest = 0;
    for (const HeadGroup& group : appliedHeads(encoder, layer)) {
        const int window = oneWindowOf({group}).value_or(0);
        if (window == 0)
            return 0;
        widest = std::max(widest, window);
    }
    return widest;
}

} // namespace headroom
