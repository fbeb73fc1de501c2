// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/contributions/block_terms.h"
#include "models/contributions/cancel.h"

namespace headroom::models {

// Measures of mixing that follow from one attention block, without the rest of its layer. All take a step of batch
// 1, float or double, and return maps of that type with rows that sum to 1. They read the maps as applied. Any
// thread.

/// α_ij: the mean over the heads of A^h_ij, [query, key]. Requires heads whose keys are tokens (no convolution).
at::Tensor meanAttention(const std::vector<GroupStep>& groups);
/// The mean of the heads' maps of a recording in a window, each as it is handed out: cut to the first `rows` and `columns`,
/// rows divided by their sums (cutMaps). Not the cut mean, in which a head counts as much as it looks at the recording.
at::Tensor meanAttentionOfRecording(const std::vector<GroupStep>& groups, std::int64_t rows, std::int64_t columns);

/// N_ij = ‖Σ_h α^h_ij f^h(x_j)‖₂ / Σ_k, f^h(x) = (z W_V^h + b_V^h) W_O^h, z = LN(x) in a pre-norm block, x in a post-norm one
/// (Kobayashi et al. 2020): the norm of the weighted vectors, heads summed, without the residual and any LayerNorm behind.
/// `terms`: before that LayerNorm. [query, key]
at::Tensor attentionNorm(const BlockTerms& terms);
/// The same where keys are not the queries. [query, key]
at::Tensor crossAttentionNorm(const BlockTerms& terms);

/// ALTI (Ferrando et al. 2022): how near each transformed vector is to the output of the attention block, in L1:
///
///     M_ij = max(0, ‖y_i‖₁ − ‖y_i − T_ij‖₁) / Σ_k max(0, ‖y_i‖₁ − ‖y_i − T_ik‖₁)
///
/// T_ij = Σ_h α^h_ij f^h(x_j) + δ_ij x_i; y_i = Σ_j T_ij + b_O, the block's output with its residual. Post-norm:
/// T_ij through the linearised LayerNorm, y_i behind it; both are multiplied by σ_i, which cancels. `terms`: before
/// that LayerNorm; `output`: x + attention, [query, width], before it too. [query, key]. Extra memory about 8 MB.
/// Cross-attention (`block.source` is defined; Ferrando et al. 2022b, ALTI+): x_i is a term of its own, the last column,
/// and T_ij has no δ. [query, key + 1]
at::Tensor alti(const BlockWeights& block, const BlockTerms& terms, const at::Tensor& output,
                const CancelFlag* cancel = nullptr);

/// One step of rollout (Abnar & Zuidema 2020): R_l = Â_l R_{l−1}, with Â = map if the residual is part of the
/// measure and ½ (map + I) otherwise. `before` is undefined for the first layer. Rows are tokens of layer l,
/// columns the input of layer 1.
at::Tensor rolledOut(const at::Tensor& map, const at::Tensor& before, bool hasResidual);

/// Divides each row by its sum; a row of zeros stays. In place.
at::Tensor& normaliseRows(at::Tensor& map);

} // namespace headroom::models
