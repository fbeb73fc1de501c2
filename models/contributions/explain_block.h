// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/contributions/block_terms.h"

namespace headroom::models {

/// The results for one block; tensors have the step's type, float or double.
struct BlockExplanation {
    at::Tensor contributions; // C [query, key], or [query, key + 1] with the residual last (cross-attention)
    at::Tensor profile;       // [2N − 1] double, sums along j − i; undefined for cross-attention
    at::Tensor headRelevance; // ‖W_O^h z^h_i‖, rows sum to 1 // [query, head] (Sant et al. 2022, Eq. 4)
    double rebuildError =
        0; ///< max |Σ_j T_ij + aside − the captured output of the block| (O1); NaN → infinity
    double rowSumError = 0; ///< max |Σ_j C_ij − 1|
};

/// explainBlock() before its numbers are read: nothing has waited for the device of the tensors.
struct UnreadExplanation {
    at::Tensor contributions, profile, headRelevance; ///< as in BlockExplanation
    at::Tensor rebuildError, rowSumError;             ///< without a dimension; undefined: not computed
};
UnreadExplanation explainUnread(const BlockWeights& block, const AttentionStep& step, const at::Tensor& storage = {},
                                int relevanceNorm = 2, bool errors = true);

/// Decomposes one block (batch 1) whose groups all have an exact decomposition (`reasonWithoutContributions`
/// is empty). Writes C into `storage` if it is defined. Memory: the maps of BlockTerms (those of the group
/// itself if one dense group is the whole layer) and C. `relevanceNorm`: 2 or 1; 0 computes neither head
/// relevance nor rebuildError (NaN). `known`: an explanation of the same step, whose contributions are not computed again.
/// `errors`: otherwise both errors are NaN, and nothing waits for the device of the tensors.
BlockExplanation explainBlock(const BlockWeights& block, const AttentionStep& step, const at::Tensor& storage = {},
                              int relevanceNorm = 2, const BlockExplanation* known = nullptr, bool errors = true);

/// Its head relevance alone, the same numbers.
at::Tensor explainedRelevance(const BlockWeights& block, const AttentionStep& step, int relevanceNorm);

/// The terms that contributions are of: those of blockTerms(), behind the block's norm.
BlockTerms contributedTerms(const BlockWeights& block, const AttentionStep& step);

/// Head relevance alone, for any groups, including Speechformer's heads, whose values are those of compressed
/// keys.
at::Tensor relevanceOfHeads(const BlockWeights& block, const std::vector<GroupStep>& groups,
                            int relevanceNorm = 2);

/// The larger of two errors; NaN is larger than everything, so that a map of NaN never looks right.
double worse(double a, double b);

} // namespace headroom::models
