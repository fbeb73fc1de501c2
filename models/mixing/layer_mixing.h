// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/mixing.h"
#include "models/contributions/cancel.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace headroom::models {

struct AttentionStep;
struct BlockWeights;
struct FoundMap; // measured_block.h

/// Computes the measures of mixing of the layers of one pass, and their rollouts. Layers come in order from 1 if a
/// rollout is among the measures. One pass, one thread.
class LayerMixing {
public:
    explicit LayerMixing(MixingOptions options);
    ~LayerMixing();
    LayerMixing(const LayerMixing&) = delete;
    LayerMixing& operator=(const LayerMixing&) = delete;

    bool isEmpty() const; ///< no measure
    /// A rollout is among the measures, so every layer up to the last wanted one must come.
    bool needsEarlierLayers() const;

    /// The maps of every measure, in the order of the options. `wanted` false: only rollouts are carried on, and
    /// the result is empty. A measure that this layer does not have is an empty map with the reason; its rollout ends
    /// there, and says so from this layer on. Throws Cancelled, and Error "mixing.units" for units that do not cover
    /// the tokens. `ownTokens`: of a recording in a longer window; attention is then that of its tokens alone, the other
    /// maps are of all (cutMixing). 0: all.
    std::vector<MixingMap> ofLayer(const BlockWeights& block, const AttentionStep& step, int layer, bool wanted,
                                   const CancelFlag* cancel = nullptr, std::int64_t ownTokens = 0);

    /// A rollout as far as the layers have come, of tokens or units; undefined and without a reason before the first.
    FoundMap rollout(Mixing kind) const;

private:
    struct Implementation;
    std::unique_ptr<Implementation> m;
};

} // namespace headroom::models
