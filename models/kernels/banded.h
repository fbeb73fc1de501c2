// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace at {
class Tensor;
}

/// Attention in a centred window, |i − j| ≤ reach (Alastruey et al. 2022, §4), in time and memory O(N · w).
/// Only the result of bandedToDense has N × N numbers.
///
/// A band is [batch, head, query, 2 · reach + 1]: slot s of query i is key i − reach + s, so windows are cut
/// at the edges and never wrap. Slots without a key (before the first token, after the last one, or beyond a
/// recording's length) have −∞ in scores and 0 in weights; they are not read and pass no gradient.
///
/// Everything except bandedToDense is differentiable.
/// - Types: float and double; bfloat16 and half are computed in float and cast back.
/// - Strides: any, if the last dimension is contiguous (views of a projection); other tensors are copied.
/// - Threads: at::parallel_for inside; results and gradients do not depend on their number.
/// - `lengths`: tokens per recording, 0 … N; empty if all have N.
/// - Inconsistent shapes throw std::logic_error.
namespace headroom::models {

/// Returns how far a window of `window` keys looks among `tokens`: min(⌊window/2⌋, tokens − 1), at least 0. A
/// band of this reach has no slot that no query can use.
std::int64_t bandReach(std::int64_t window, std::int64_t tokens);

/// q_i · k_j in the band, unscaled: `q`, `k` [batch, head, token, headWidth] → [batch, head, query, 2 · reach
/// + 1].
at::Tensor bandedScores(const at::Tensor& q, const at::Tensor& k, std::int64_t reach,
                        const std::vector<std::int64_t>& lengths = {});

/// Softmax over the slots. Slots with −∞ get exactly 0. A row without a key is zeros, not NaN, and has no
/// gradient.
at::Tensor bandedSoftmax(const at::Tensor& scores);

/// Σ_s weights_is v_{i − reach + s}: [batch, head, query, 2 · reach + 1] with [batch, head, token,
/// valueWidth] → [batch, head, token, valueWidth], stored as [batch, token, head, valueWidth] so that joining
/// the heads is a view. Weights of slots before the first and after the last token are not read.
at::Tensor bandedMix(const at::Tensor& weights, const at::Tensor& v, std::int64_t reach);

/// softmax(scale · q kᵀ) v in the band, fused: scores are never stored, and the backward pass keeps only the
/// weights. Equal to the three functions above up to rounding.
at::Tensor bandedAttention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, std::int64_t reach,
                           double scale, const std::vector<std::int64_t>& lengths = {});

/// Expands the band to [batch, head, query, key] with exact zeros outside, for the analysis of short
/// utterances. O(N²) memory, no gradient.
at::Tensor bandedToDense(const at::Tensor& weights, std::int64_t reach);

} // namespace headroom::models
