// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/analysis.h"

namespace headroom::app {

/// The map (B) that the current one (A) is compared with, for the read-out. A value.
struct SecondMap {
    ModelId model = ModelId::None;
    int layer = 0; ///< from 1
    MapSource source;
    std::shared_ptr<const MaxPyramid> map;        ///< null: not here, or of another utterance or other tokens
    std::shared_ptr<const MaxPyramid> difference; ///< A − B, shown in place of B; null: B itself is shown
    bool isInPlace = false;                       ///< B is shown in A's place
    bool operator==(const SecondMap&) const = default;
};

} // namespace headroom::app
