// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/contributions/layer_analysis.h"

#include <cstdint>
#include <vector>

namespace headroom::models {

struct AttentionStep;
struct BlockExplanation;
struct BlockWeights;

/// Analyses one attention block from its tensors (batch 1, float): contributions through the fused kernel,
/// profiles, head relevance ‖W_O^h z^h‖₂, and the exactness checks.
///
/// rebuildError takes another path than the layer: Σ_j A^h_ij u^h_j from the transformed values, summed over
/// the heads, plus x and aside, against the captured output. gramError recomputes LN, v and u in double and
/// writes T_ij out for the checked rows. Polls `cancel` between its parts.
///
/// `own`: of a recording in a fixed window, its own tokens; 0 where all are. The result is then cut to these
/// (cut_to_recording.h). Of self-attention only these queries are analysed, over all keys, as what a row says does not depend on
/// the other rows: their maps are enough. Heads whose maps are not dense are analysed whole. The errors are those of the
/// rows that were analysed.
///
/// `known`: an explanation of this step (explain_block.h), if there is one already; `own` must then not leave out queries.
LayerAnalysis analyseLayer(const BlockWeights& block, int layer, const AttentionStep& step,
                           const AnalysisOptions& options, const CancelFlag* cancel = nullptr,
                           std::int64_t own = 0, const BlockExplanation* known = nullptr);

/// Returns `count` different rows of N, sampled from the seed and the layer, ascending; all of them if count
/// ≥ N.
std::vector<std::int64_t> drawRows(std::int64_t tokens, int count, std::uint64_t seed, int layer);

} // namespace headroom::models
