// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace headroom::app {

/// How an architecture differs from a baseline, layer by layer. A value.
struct Difference {
    struct Layer {
        int number = 1;                     ///< from 1, or kCrossAttention
        std::vector<HeadGroup> before, now; ///< empty: there is no such layer
        int changedHeads = 0;               ///< of those that both have, and those that only one has
    };
    std::vector<Layer> layers; ///< as many as the longer of both
    std::optional<Layer> cross; ///< the decoder's cross-attention, if both have one and it differs; `other` names it, too
    int heads = 0;             ///< of each layer those of the one that has more
    int changedHeads = 0, changedLayers = 0, reusingLayers = 0;
    QStringList other; ///< "width 256 → 128": everything that is not heads
    /// "36 of 48 heads differ in 9 layers, 1 layer reuses a map"; "No difference".
    QString sentence() const;
    QString brief() const; ///< "36 heads, 1 other difference", where there is less room; empty: the sentence alone says it
    /// Line by line, as it is copied: "layer 4: 4 full → 4 local 5".
    QString asText() const;
};

/// Pure. Heads are compared one by one, in order.
Difference differenceOf(const Architecture& baseline, const Architecture& architecture);

} // namespace headroom::app
