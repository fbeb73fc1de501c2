// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/choices.h"
#include "models/attention/multi_head.h"
#include "models/layers/parameters.h"

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

namespace headroom::models {

/// The two vectors of a LayerNorm, [width]; undefined if there is no norm.
struct NormWeights {
    at::Tensor weight, bias;
    double epsilon = 1e-5;
    bool defined() const { return weight.defined(); }
};

/// The parameters of an attention block that its decomposition needs, borrowed from the model.
struct BlockWeights {
    at::Tensor outputWeight, outputBias; ///< W_O [width, head · valueWidth], b_O [width] or undefined
    at::Tensor valueWeight, valueBias;   ///< W_V [head · valueWidth, source width], b_V or undefined
    NormWeights before;                  ///< between the block's input and W_V (pre-norm)
    NormWeights after;                   ///< around x + attention (post-norm)
    at::Tensor
        source; ///< what W_V reads, [1, key, source width]; undefined: the block's input (self-attention)
};

/// The block with its projections under `attention` of `layer` ("self_attn") and its LayerNorm under `norm`.
BlockWeights blockWeights(const Scope& layer, const std::string& attention, const std::string& norm,
                          NormPlace place, double epsilon = 1e-5);

/// Returns why T_ij does not exist for these groups, in one sentence; empty if the decomposition is exact.
std::string reasonWithoutContributions(const std::vector<GroupStep>& groups);

/// Returns the weights of a group as a dense tensor without the batch: [head, query, key], or [head, query,
/// compressedKey].
at::Tensor denseMap(const AttentionMap& map);

} // namespace headroom::models
