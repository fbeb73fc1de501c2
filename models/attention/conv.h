// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/head_groups.h"
#include "models/layers/parameters.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

/// ConvAttention: keys and values shortened along time by a strided convolution, queries as they are. Two
/// forms. Multiformer's (Sant et al. 2022, §3.2, and their code): after the projection, over each head's
/// channels, one convolution for K and one for V, shared by the heads of a group; padding ⌊stride/2⌋, and
/// zeros on the right until the convolution ends with the last token. Speechformer's (Papi et al. 2021):
/// before the projections, d → 2d and GLU, one for K and V, padding ⌊kernel/2⌋.
///
/// Padded tokens are zero before the convolution, so that a recording's result does not depend on its batch;
/// the released codes read what stands there (`readsPadding`).
namespace headroom::models {

bool isSpeechformer(const HeadGroup& group);
int convPadding(const HeadGroup& group);

/// Keys left of `tokens` ≥ 1: ⌊(L + 2 · padding − kernel)/stride⌋ + 1, at least 1.
std::int64_t compressedLength(const HeadGroup& group, std::int64_t tokens);

/// What a convolution makes of the tokens of a batch.
struct Shortening {
    const HeadGroup& group;
    const std::vector<std::int64_t>& lengths; ///< tokens of each recording; empty: all the tokens there are
    const at::Tensor& padding;                ///< bool [batch, 1, 1, token], or undefined
    bool readsPadding = false;
};

/// Multiformer's form. `convolution` holds weight and bias, or 0 and 1 where separable; x [batch, head,
/// token, headWidth] → [batch, head, compressedKey, headWidth], as many as the longest recording has.
at::Tensor compressed(const Scope& convolution, const at::Tensor& x, const Shortening& shortening);

/// Speechformer's form: x [batch, token, width] → [batch, compressedKey, width].
at::Tensor compressedInput(const Scope& convolution, const at::Tensor& x, const Shortening& shortening);

/// Compressed keys beyond a recording's own, bool [batch, 1, 1, compressedKey]; undefined where none is.
at::Tensor hiddenCompressed(const Shortening& shortening);

/// Multiformer's form as a matrix per tap: v′_m = Σ_t taps_t v_{stride · m + t − padding} + bias. Taps [tap,
/// headWidth] where depthwise, else [tap, out, in].
struct ConvolutionTaps {
    at::Tensor taps, bias;
};
ConvolutionTaps convolutionTaps(const Scope& convolution, const HeadGroup& group);

} // namespace headroom::models
