// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/contributions/layer_analysis.h"

namespace headroom::models {

/// Cuts the analysis of a block to the recording's own tokens, where a model computes a fixed window and the
/// tokens behind the recording take part in every softmax (Whisper). N tokens were computed, V ≤ N belong to
/// the recording.
/// - Contributions and maps keep their first V columns (cross-attention: and the residual), and each row is
///   divided by its sum. `paddingShare` says what of a row of the contributions fell on the other columns.
/// - Self-attention: rows V … N − 1 are dropped everywhere, and the profiles are those of the cut matrices.
/// - Maps over compressed keys keep their columns. The errors are those of the rows that were analysed.
/// Needs the contributions and maps; drops those that `wanted` does not keep. `computed`: N. Rows behind V may be missing
/// already.
void cutToRecording(LayerAnalysis& block, std::int64_t tokens, std::int64_t computed, bool cross, const AnalysisOptions& wanted);

/// The options with which a block that is to be cut must be analysed.
AnalysisOptions beforeCutting(AnalysisOptions options);

} // namespace headroom::models
