// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/layers/parameters.h"

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace headroom::models {

/// Sinusoids of the offsets i − j = reach … −reach, [2 · reach + 1, width]: sine at even, cosine at odd
/// indices, frequency 10⁴^(−2k/width), as in the Conformers of fairseq and ESPnet, in float32 arithmetic as
/// there; in double for references.
at::Tensor relativePositions(std::int64_t reach, std::int64_t width, bool inDouble = false);

/// The length of ESPnet's table of sinusoids, in its old form.
inline constexpr std::int64_t kLegacyTable = 5000;

/// The sinusoids that ESPnet's old form reads for the offsets i − j = reach … −reach in a recording of `tokens` tokens,
/// with s = max(kLegacyTable, tokens) − tokens, because its table counts backwards from the end:
/// - i − j ≥ 0: those of the place s + (i − j);
/// - i − j = −1: unused, zeros;
/// - j − i ≥ 2: those of the place s + tokens + 1 − (j − i), for the next query (relativeLegacyBandScores).
at::Tensor relativeLegacyPositions(std::int64_t reach, std::int64_t width, std::int64_t tokens, bool inDouble = false);

/// What a group of heads needs to score offsets (Dai et al. 2019, Eq. 5 in §3.3): u, v, and p =
/// linear_pos(table) for the group's heads.
struct RelativeTerms {
    at::Tensor contentBias;  ///< u // [head, 1, headWidth]
    at::Tensor positionBias; ///< v // [head, 1, headWidth]
    at::Tensor positions;    ///< p // [head, offset, headWidth]
};

/// `attention` has linear_pos.weight, pos_bias_u and pos_bias_v. Heads `first` … `first` + `count` − 1 of the
/// block.
RelativeTerms relativeTerms(const Scope& attention, const at::Tensor& table, std::int64_t first,
                            std::int64_t count);

/// (q + v) pᵀ with each row shifted so that column j is key j: `q` [batch, head, token, headWidth] and terms
/// over all 2 · token − 1 offsets → [batch, head, query, key].
at::Tensor relativeScores(const at::Tensor& q, const RelativeTerms& terms);

/// The old form of ESPnet (LegacyRelPositionMultiHeadedAttention), whose shift leaves the rows of a square in the places of
/// later keys: (q_i + v)·p for j ≤ i, 0 for j = i + 1, and (q_(i+1) + v)·p for j ≥ i + 2, with the p of
/// relativeLegacyPositions(). → [batch, head, query, 2 · reach + 1]; relativeShifted() makes a map of it.
at::Tensor relativeLegacyBandScores(const at::Tensor& q, const RelativeTerms& terms);

/// Scores of every offset, [batch, head, token, 2 · token − 1], with each row shifted so that column j is key j.
at::Tensor relativeShifted(const at::Tensor& byOffset);

/// The same in a band, whose slots are the offsets, so nothing is shifted. → [batch, head, query, 2 · reach +
/// 1]
at::Tensor relativeBandScores(const at::Tensor& q, const RelativeTerms& terms);

} // namespace headroom::models
