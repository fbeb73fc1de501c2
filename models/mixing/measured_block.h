// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/mixing.h"
#include "models/contributions/block_terms.h"
#include "models/contributions/cancel.h"
#include "models/contributions/explain_block.h"

#include <ATen/core/Tensor.h>

#include <optional>
#include <span>
#include <string>

namespace headroom::models {

/// The map of a measure, or why there is none, in one sentence.
struct FoundMap {
    at::Tensor map; ///< undefined: there is none
    std::string reason;
    double seconds = 0; ///< that it took; of a rollout, of all layers so far
};

/// The measures of mixing of one attention block, self- or cross-attention, each computed when it is asked for. Borrows
/// everything; lives inside an observer's call.
class MeasuredBlock {
public:
    MeasuredBlock(const BlockWeights& block, const AttentionStep& step, const CancelFlag* cancel = nullptr);

    const AttentionStep& step() const { return m_step; }
    /// What map(Mixing::Contributions) computed, without head relevance; null: it was not asked for.
    const BlockExplanation* explanation() const { return m_explanation ? &*m_explanation : nullptr; }

    /// Why the block has no such map; empty: it has.
    std::string reasonWithout(Mixing kind) const;
    /// A map that is not value zeroing's: [query, key], rows sum to 1. In cross-attention, Contributions and ALTI have
    /// the residual as one more column, the last. Requires reasonWithout() to be empty.
    at::Tensor map(Mixing kind);
    /// Value zeroing of units of keys, [query, unit], not normalised (value_zeroing.h).
    at::Tensor distances(std::span<const TokenUnit> units);

private:
    const BlockTerms& terms();

    const BlockWeights& m_block;
    const AttentionStep& m_step;
    const CancelFlag* m_cancel;
    std::optional<BlockExplanation> m_explanation;
    std::optional<BlockTerms> m_terms; ///< before any LayerNorm behind; made once for all measures that read it
};

} // namespace headroom::models
