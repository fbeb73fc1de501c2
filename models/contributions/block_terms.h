// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/contributions/block_weights.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace headroom::models {

/// An attention block as a sum over the original tokens:
///
///     x_i + attention_i = Σ_j T_ij + aside_i,   T_ij = Σ_v maps^v_ij u^v_j + δ_ij x_i
///
/// where most heads are one v each. A head whose keys a convolution shortened (Sant et al. 2022, §3) becomes
/// R = ⌈K/S⌉ "virtual" heads: v′_m = Σ_t W_t v_{S·m + t − P} + b is linear in v, and key j reaches a token
/// only through the compressed keys m_r(j) = ⌊(j + P)/S⌋ − r with the taps t = j + P − S·m_r(j), r = 0 … R −
/// 1. So maps^{h,r}_ij = A^h_{i, m_r(j)} and u^{h,r}_j = (W_t v^h_j) W_O^h. The bias of the convolution
/// belongs to no token: W_O · (Σ_m A_im b) is part of aside_i, as is b_O.
struct BlockTerms {
    /// Virtual heads whose u^v_j are values^v_j through one slice of W_O.
    struct Part {
        at::Tensor values; // [virtualHead, key, valueWidth]
        at::Tensor weight; // [width, virtualHead · valueWidth]
    };
    at::Tensor maps;         // [virtualHead, query, key], contiguous
    std::vector<Part> parts; ///< in the order of `maps`
    at::Tensor residual;     // x [query, width], contiguous
    std::int64_t reach = 0;  ///< no head looks further than this from the diagonal

    /// u of the keys first … first + count − 1, [virtualHead, count, width], contiguous. All of u is many times as
    /// large as the values, so whoever can reads it a few keys at a time.
    at::Tensor transformed(std::int64_t first, std::int64_t count) const;
    at::Tensor transformed() const; ///< of all keys
    /// Returns transformed() for whoever reads u a few keys at a time: W_O is laid out once. Borrows the terms; safe on every
    /// thread.
    std::function<at::Tensor(std::int64_t first, std::int64_t count)> transforming() const;
};

/// Virtual heads of a group: ⌈K/S⌉ for each head over compressed keys, otherwise one.
std::int64_t virtualHeads(const GroupStep& group);

/// z^h_i of a group, the values that each of its heads mixed, with the convolution's bias: [head, query, valueWidth].
at::Tensor groupMixed(const GroupStep& group);

/// W_O's columns of the group's heads: [width, head · valueWidth].
at::Tensor outputWeightOf(const BlockWeights& block, const GroupStep& group);

/// All groups together, before any LayerNorm after the block: all tensors have the step's type, float or double;
/// batch 1. The keys of a Speechformer group are the compressed ones. The virtual heads of a group are r = 0 for all
/// its heads, then r = 1 … A single dense group lends its map; otherwise each map is written once.
BlockTerms blockTerms(const BlockWeights& block, const std::vector<GroupStep>& groups, const at::Tensor& x);

/// Applies the LayerNorm of a post-norm block to each term of the sum, without 1/σ_i: (t − mean(t)) ∘ γ over
/// the last dimension (Kobayashi et al. 2021, §3). σ_i belongs to the whole sum, one value per row, so
/// normalised rows do not depend on it. The map is linear, so it may be applied to u and x. β is part of
/// aside_i.
at::Tensor centredAndScaled(const at::Tensor& terms, const NormWeights& norm);

/// The block whose u are those of `block` after centredAndScaled: the same map, applied to the rows of W_O once instead
/// of to every u. `block` itself if no LayerNorm follows.
BlockWeights behindItsNorm(const BlockWeights& block);

} // namespace headroom::models
