// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/contributions/block_weights.h"

#include <cstdint>
#include <vector>

namespace headroom::models {

/// An attention block as a sum over the original tokens:
///
///     x_i + attention_i = Σ_j T_ij + aside_i,   T_ij = Σ_v maps^v_ij u^v_j + δ_ij x_i
///
/// where most heads are one v each. A head whose keys a convolution shortened (Sant et al. 2022, §3) is R =
/// ⌈K/S⌉ "virtual" heads: v′_m = Σ_t W_t v_{S·m + t − P} + b is linear in v, and key j reaches a token only
/// through the compressed keys m_r(j) = ⌊(j + P)/S⌋ − r with the taps t = j + P − S·m_r(j), r = 0 … R − 1. So
/// maps^{h,r}_ij = A^h_{i, m_r(j)} and u^{h,r}_j = (W_t v^h_j) W_O^h. The convolution's bias belongs to no
/// token: W_O · (Σ_m A_im b) stands aside, with b_O.
struct BlockTerms {
    at::Tensor maps;        // [virtualHead, query, key], contiguous
    at::Tensor transformed; // u [virtualHead, key, width], contiguous
    at::Tensor residual;    // x [query, width], contiguous
    std::vector<int> heads; ///< of each virtual head, from 0
    std::int64_t reach = 0; ///< no head looks further from the diagonal
};

/// ⌈K/S⌉, how many compressed keys a token may reach.
std::int64_t virtualHeads(const HeadGroup& group);

/// The terms before any LayerNorm behind the block. All tensors of the step's type, float or double; batch 1.
BlockTerms blockTerms(const BlockWeights& block, const std::vector<GroupStep>& groups, const at::Tensor& x);

/// What a post-norm block's LayerNorm does to each term of the sum, but for 1/σ_i: (t − mean(t)) ∘ γ over the
/// last dimension (Kobayashi et al. 2021, §3). σ_i is that of the whole sum, one for a row, so rows made to
/// sum to 1 do not see it; the map is linear, so it may be applied to u and x; β stands aside.
at::Tensor centredAndScaled(const at::Tensor& terms, const NormWeights& norm);

/// What each head adds to its query, W_O^h z^h_i with the convolution's bias inside z: [head, query, width].
/// Sums Σ_j maps^v_ij u^v_j, another order of products than the layer's own. `terms` without a LayerNorm
/// behind.
at::Tensor headOutputs(const BlockWeights& block, const std::vector<GroupStep>& groups,
                       const BlockTerms& terms);

} // namespace headroom::models
