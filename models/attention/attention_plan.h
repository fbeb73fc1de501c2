// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace headroom::models {

/// How scores use the positions of tokens. Absolute: positions are added to the input, or not used.
enum class AttentionPositions { Absolute, Relative, Rotary, RelativeKey, RelativeLegacy };

/// One validated attention block of the document: built once per model, read by every pass.
struct AttentionPlan {
    int layer = 1;                 ///< from 1
    std::vector<HeadGroup> groups; ///< in head order; for a reusing layer: its single group
    std::int64_t heads = 0, width = 0;
    bool postNorm = false; ///< x + block(LN x), or LN(x + block x)
    AttentionPositions positions = AttentionPositions::Absolute;
    bool keyBias = true;       ///< of W_K, where the queries have one
    bool relativeBias = false; ///< scores have a gated bias by distance (relative_bias.h)
    double normEpsilon = 1e-5; ///< of the block's LayerNorm
    Architecture::RelativeKey reach; ///< of AttentionPositions::RelativeKey
    bool outputBias = true;    ///< of W_O
    bool keepsMaps = false;    ///< a later layer reuses the maps of this one
    int reuses = 0;            ///< the layer whose maps this one reuses, from 1; 0: none
    bool lastOfReuses = false; ///< no later layer reuses them

    /// Whether every head looks at all tokens.
    bool isFull() const {
        return std::ranges::all_of(groups, [](const HeadGroup& group) { return group.kind == HeadKind::Full; });
    }
    bool isRelative() const {
        return positions == AttentionPositions::Relative || positions == AttentionPositions::RelativeLegacy;
    }
    std::int64_t headWidth() const { return width / heads; }
    /// Width of v per head: twice as wide for a reused map (Shim et al. 2022, §3.2).
    std::int64_t valueWidth() const { return reuses ? 2 * headWidth() : headWidth(); }
};

/// The self-attention block of encoder layer `layer` (from 1). Throws Error "model.kindNotBuilt" for an
/// unsupported combination, with `file`, the layer, the text and the reason.
AttentionPlan attentionPlan(const Architecture::Encoder& encoder, int layer, const std::string& file);
/// The plans of all layers, so that a document is rejected before anything is computed.
std::vector<AttentionPlan> attentionPlans(const Architecture::Encoder& encoder, const std::string& file);

/// The masked heads of a decoder or a language model; absolute positions.
AttentionPlan maskedAttentionPlan(const std::vector<HeadGroup>& heads, std::int64_t width, bool postNorm,
                                  const std::string& file);
/// Those of every layer of a Transformer language model.
std::vector<AttentionPlan> languageModelPlans(const Architecture::LanguageModel& model,
                                              const std::string& file);
/// The cross-attention heads of a decoder: full.
AttentionPlan crossAttentionPlan(const std::vector<HeadGroup>& heads, std::int64_t width, bool postNorm,
                                 const std::string& file);

} // namespace headroom::models
