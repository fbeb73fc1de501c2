// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/head_groups.h"
#include "models/layers/parameters.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

/// ConvAttention: keys and values shortened along time by a strided convolution; queries are unchanged. Two
/// forms:
/// - Multiformer's (Sant et al. 2022, §3.2, and their code): after the projection, over each head's channels,
///   one convolution for K and one for V, shared by the heads of a group; padding ⌊stride/2⌋, and zeros on
///   the right until the convolution ends with the last token.
/// - Speechformer's (Papi et al. 2021): before the projections, d → 2d and GLU, one for K and V, padding
///   ⌊kernel/2⌋.
///
/// Padded tokens are zeroed before the convolution, so that the result of a recording does not depend on its
/// batch; the released code reads them (`readsPadding`).
namespace headroom::models {

bool isSpeechformer(const HeadGroup& group);
int convPadding(const HeadGroup& group);

/// Returns the number of compressed keys of `tokens` ≥ 1: ⌊(L + 2 · padding − kernel)/stride⌋ + 1, at least
/// 1.
std::int64_t compressedLength(const HeadGroup& group, std::int64_t tokens);

/// The input of a convolution over the tokens of a batch.
struct Shortening {
    const HeadGroup& group;
    const std::vector<std::int64_t>& lengths; ///< tokens of each recording; empty if all are complete
    const at::Tensor& padding;                ///< bool [batch, 1, 1, token], or undefined
    bool readsPadding = false;
};

/// Multiformer's form. `convolution` has weight and bias, or 0 and 1 if separable. x [batch, head, token,
/// headWidth] → [batch, head, compressedKey, headWidth], for the longest recording.
at::Tensor compressed(const Scope& convolution, const at::Tensor& x, const Shortening& shortening);

/// Speechformer's form: x [batch, token, width] → [batch, compressedKey, width].
at::Tensor compressedInput(const Scope& convolution, const at::Tensor& x, const Shortening& shortening);

/// Compressed keys beyond those of a recording, bool [batch, 1, 1, compressedKey]; undefined if there are
/// none.
at::Tensor hiddenCompressed(const Shortening& shortening);

/// Multiformer's form as one matrix per tap: v′_m = Σ_t taps_t v_{stride · m + t − padding} + bias. Taps are
/// [tap, headWidth] if depthwise, otherwise [tap, out, in].
struct ConvolutionTaps {
    at::Tensor taps, bias;
};
ConvolutionTaps convolutionTaps(const Scope& convolution, const HeadGroup& group);

} // namespace headroom::models
