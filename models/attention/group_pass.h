// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/attention/attention_context.h"
#include "models/attention/attention_plan.h"
#include "models/attention/multi_head.h"

#include <vector>

namespace headroom::models {

/// What the groups of one attention block share during one call.
struct GroupPass {
    Scope attention; ///< self_attn or encoder_attn of a layer
    const AttentionPlan& plan;
    AttentionContext& context;
    const Dropout& dropout;
    bool wantsMaps; ///< somebody observes them or reuses them: a fused kernel that never writes them is out
};

/// One group's share of the heads, [batch, head, token, headWidth]; queries are scaled by 1/√headWidth.
struct GroupHeads {
    const HeadGroup& kind;
    int number;    ///< among the layer's groups, from 0
    int firstHead; ///< from 0
    at::Tensor queries, keys, values;
};

struct GroupOutcome {
    at::Tensor mixed;  ///< [batch, head, query, valueWidth]
    at::Tensor hidden; ///< keys that raw could not see, as in KeptMap; where maps are wanted
    GroupStep step;    ///< its maps, where they are wanted
};

/// Heads of one kind: scores, weights, relaxation, dropout, values.
GroupOutcome attendGroup(const GroupPass& pass, const GroupHeads& heads);

/// The groups of the layer that plan.reuses names, with this layer's values [batch, head, token, 2 ·
/// headWidth].
std::vector<GroupOutcome> attendReused(const GroupPass& pass, const at::Tensor& values);

/// Whether some heads convolve the block's input before its projection (Speechformer's form).
bool shortensInput(const AttentionPlan& plan);
/// What keys and values of a group are projected from: `input` [batch, token, width], shortened where the
/// group does so.
at::Tensor groupInput(const GroupPass& pass, const HeadGroup& kind, int number, const at::Tensor& input);

/// Rotary positions on all heads, the first token at place `first`.
void rotateHeads(AttentionContext& context, std::int64_t first, at::Tensor& queries, at::Tensor& keys);

} // namespace headroom::models
