// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/networks/speech_model.h"

#include <vector>

namespace headroom::models {

struct AttentionStep;
struct BlockWeights;

/// Explains one attention block from its tensors (batch 1, float): contributions through the fused kernel,
/// profiles, head relevance ‖W_O^h z^h‖₂, and the checks on itself.
///
/// rebuildError goes another way than the layer did: Σ_j A^h_ij u^h_j from the transformed values, summed
/// over the heads, plus x and what stands aside, against the captured output. gramError recomputes LN, v and
/// u in double and writes T_ij out for the checked rows. Polls `cancel` between its parts.
LayerAnalysis analyseLayer(const BlockWeights& block, int layer, const AttentionStep& step,
                           const AnalysisOptions& options, const CancelFlag* cancel = nullptr);

/// `count` different rows of N, drawn from the seed and the layer; all of them where count ≥ N. Ascending.
std::vector<std::int64_t> drawRows(std::int64_t tokens, int count, std::uint64_t seed, int layer);

} // namespace headroom::models
