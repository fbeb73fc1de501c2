// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/contributions/block_terms.h"

namespace headroom::models {

/// What the sum over tokens says about a block; tensors of the step's type, float or double.
struct BlockExplanation {
    at::Tensor contributions; // C [query, key], or [query, key + 1] with the residual last (cross-attention)
    at::Tensor profile;       // [2N − 1] double, sums along j − i; undefined for cross-attention
    at::Tensor headRelevance; // ‖W_O^h z^h_i‖, rows sum to 1 // [query, head] (Sant et al. 2022, Eq. 4)
    double rebuildError =
        0; ///< max |Σ_j T_ij + aside − the captured output of the block| (O1); NaN → infinity
    double rowSumError = 0; ///< max |Σ_j C_ij − 1|
};

/// Explains one block (batch 1) whose groups all have an exact decomposition (`reasonWithoutContributions` is
/// empty). C is written into `storage` where it is defined. Memory: BlockTerms' maps (those of the group
/// itself where one dense group is the whole layer) and C. `relevanceNorm`: 2, or 1; 0: neither head
/// relevance nor rebuildError (NaN), whose N² · width per head is most of the work.
BlockExplanation explainBlock(const BlockWeights& block, const AttentionStep& step,
                              const std::vector<GroupStep>& groups, const at::Tensor& storage = {},
                              int relevanceNorm = 2);

/// Head relevance alone, for any groups: Speechformer's heads too, whose values are those of compressed keys.
at::Tensor relevanceOfHeads(const BlockWeights& block, const std::vector<GroupStep>& groups,
                            int relevanceNorm = 2);

/// The larger of two errors, where NaN is larger than everything: a map of NaN must not look right.
double worse(double a, double b);

} // namespace headroom::models
