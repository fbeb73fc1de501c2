// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/mixing.h"
#include "models/attention/rest_of_layer.h"
#include "models/contributions/block_terms.h"
#include "models/contributions/cancel.h"

#include <cstdint>
#include <span>

namespace headroom::models {

/// Value zeroing (Mohebbi et al. 2023; of spoken units: Mohebbi et al. 2023b): how far the output of a layer moves
/// when the value vectors of one unit are zero in every head, and everything else stays:
///
///     Z_iS = 1 − cos(y_i, y_i^¬S),   y = rest(a),   a_i^¬S = a_i − Σ_{j ∈ S} Σ_h A^h_ij u^h_j
///
/// with a = x + attention and u^h_j = v^h_j W_O^h, b_V included. Maps do not depend on values, so the block only
/// loses the terms of S; `rest` (feed-forward, convolution, norms; of the last layer also the encoder's final
/// LayerNorm) is computed for a batch of units at a time. If the rest is tokenwise, rows that see no token of S are
/// exactly 0 and not computed.
///
/// - `terms`: before a post-norm LayerNorm; `output`: a, [query, width].
/// - Returns [query, unit], not normalised, of the type of the terms. Units lie inside the tokens.
/// - The cosine distance is computed as ½ ‖y/‖y‖ − y′/‖y′‖‖², which keeps its digits where vectors are near.
/// - Memory: about `batchTokens` tokens go through the rest at a time (at least those of one unit).
/// - Polls `cancel` before each batch; throws Cancelled.
at::Tensor valueZeroingDistances(const BlockTerms& terms, const at::Tensor& output, const RestOfLayer& rest,
                                 std::span<const TokenUnit> units, const CancelFlag* cancel = nullptr,
                                 std::int64_t batchTokens = 2048);

/// Pools the rows of distances [query, unit] by the same units, mean or maximum over the tokens of a unit, and makes
/// rows sum to 1 (a row of zeros stays): [unit, unit].
at::Tensor pooledDistances(const at::Tensor& distances, std::span<const TokenUnit> units, UnitPooling pooling);

} // namespace headroom::models
