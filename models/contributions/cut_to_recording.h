// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/contributions/layer_analysis.h"

namespace at {
class Tensor;
}

namespace headroom::models {

// Cuts the analysis of a block to the recording's own tokens, where a model computes a fixed window and the tokens
// behind the recording take part in every softmax (Whisper). N tokens were computed, V ≤ N belong to the recording.

/// Cuts the contributions to `rows` rows and V = `columns` columns, and the residual's if `residual`; each row is
/// divided by its sum. `paddingShare` says what of a row fell on the other columns. The profile is that of the cut matrix.
void cutContributions(LayerAnalysis& block, std::int64_t rows, std::int64_t columns, bool residual);

/// The same of attention maps, [head, query, key] → [head, rows, columns].
at::Tensor cutMaps(const at::Tensor& maps, std::int64_t rows, std::int64_t columns);

/// The same of the measures of mixing whose maps are of all `computed` tokens.
void cutMixing(LayerAnalysis& block, std::int64_t tokens, std::int64_t computed);

} // namespace headroom::models
