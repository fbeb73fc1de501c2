// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/attention/attention_context.h"
#include "models/attention/attention_plan.h"
#include "models/attention/multi_head.h"

#include <vector>

namespace headroom::models {

/// State shared by the groups of one attention block during one call.
struct GroupPass {
    Scope attention; ///< self_attn or encoder_attn of a layer
    const AttentionPlan& plan;
    AttentionContext& context;
    const Dropout& dropout;
    bool wantsMaps; ///< maps are observed or reused, so a fused kernel that never stores them cannot be used
    at::Tensor gate = {}; ///< of the relative bias, [batch, head, query, 1]; undefined if there is none
};

/// The heads of one group, [batch, head, token, headWidth]; queries are scaled by 1/√headWidth.
struct GroupHeads {
    const HeadGroup& kind;
    int number;    ///< among the layer's groups, from 0
    int firstHead; ///< from 0
    at::Tensor queries, keys, values;
};

struct GroupOutcome {
    at::Tensor mixed;  ///< [batch, head, query, valueWidth]
    at::Tensor hidden; ///< keys hidden from raw, as in KeptMap; only if maps are wanted
    GroupStep step;    ///< its maps, if wanted
};

/// Heads of one kind: scores, weights, relaxation, dropout, values.
GroupOutcome attendGroup(const GroupPass& pass, const GroupHeads& heads);

/// Attends with the maps of the layer plan.reuses and this layer's values [batch, head, token, 2 ·
/// headWidth].
std::vector<GroupOutcome> attendReused(const GroupPass& pass, const at::Tensor& values);

/// Whether any head convolves the block's input before its projection (Speechformer's form).
bool shortensInput(const AttentionPlan& plan);
/// The input of a group's key and value projections: `input` [batch, token, width], shortened if the group
/// does so.
at::Tensor groupInput(const GroupPass& pass, const HeadGroup& kind, int number, const at::Tensor& input);

/// Applies rotary positions to all heads; the first token has position `first`.
void rotateHeads(AttentionContext& context, std::int64_t first, at::Tensor& queries, at::Tensor& keys);

} // namespace headroom::models
