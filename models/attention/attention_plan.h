// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headroom::models {

/// How a block's scores know where a token stands. Absolute: by what was added to its input, or not at all.
enum class AttentionPositions { Absolute, Relative, Rotary };

/// One attention block as the document describes it, checked: built once per model, read by every pass.
struct AttentionPlan {
    int layer = 1;                 ///< from 1
    std::vector<HeadGroup> groups; ///< in head order; of a reusing layer: the text's one group
    std::int64_t heads = 0, width = 0;
    bool postNorm = false; ///< x + block(LN x), or LN(x + block x)
    AttentionPositions positions = AttentionPositions::Absolute;
    bool keepsMaps = false;    ///< a later layer reuses this one's
    int reuses = 0;            ///< the layer whose maps this one takes, from 1; 0: it has its own
    bool lastOfReuses = false; ///< no later layer takes them

    std::int64_t headWidth() const { return width / heads; }
    /// v per head: twice as wide where a map is reused (Shim et al. 2022, §3.2).
    std::int64_t valueWidth() const { return reuses ? 2 * headWidth() : headWidth(); }
};

/// The self-attention block of encoder layer `layer` (from 1). Throws Error "model.kindNotBuilt" for a
/// combination that nothing here computes; the sentence names `file`, the layer, the text and the reason.
AttentionPlan attentionPlan(const Architecture::Encoder& encoder, int layer, const std::string& file);
/// All of them, so that a document is refused before anything is computed.
std::vector<AttentionPlan> attentionPlans(const Architecture::Encoder& encoder, const std::string& file);

/// A decoder's own heads, or a language model's: masked ones, positions absolute.
AttentionPlan maskedAttentionPlan(const std::vector<HeadGroup>& heads, std::int64_t width, bool postNorm,
                                  const std::string& file);
/// A decoder's heads that look at the encoder's output: full ones.
AttentionPlan crossAttentionPlan(const std::vector<HeadGroup>& heads, std::int64_t width, bool postNorm,
                                 const std::string& file);

/// A learnt tensor of a self-attention block, named from its layer: "self_attn.k_proj.weight".
struct AttentionTensor {
    std::string name;
    std::vector<std::int64_t> shape;
};

/// Every tensor that selfAttentionBlock reads, but the LayerNorm, in the order in which weights are drawn
/// (models/attention/README.md lists them).
std::vector<AttentionTensor> attentionTensors(const AttentionPlan& plan, bool queryKeyValueBias);

} // namespace headroom::models
