// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/attention/multi_head.h"
#include "models/layers/parameters.h"

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

namespace headroom::models {

/// LayerNorm's two vectors [width]; undefined where there is no norm.
struct NormWeights {
    at::Tensor weight, bias;
    bool defined() const { return weight.defined(); }
};

/// The learnt tensors of an attention block that its explanation needs, borrowed from the model.
struct BlockWeights {
    at::Tensor outputWeight, outputBias; ///< W_O [width, head · valueWidth], b_O [width] or undefined
    at::Tensor valueWeight, valueBias;   ///< W_V [head · valueWidth, source width], b_V or undefined
    NormWeights before;                  ///< between the block's input and W_V (pre-norm)
    NormWeights after;                   ///< around x + attention (post-norm)
    at::Tensor
        source; ///< what W_V reads, [1, key, source width]; undefined: the block's input (self-attention)
};

enum class NormPlace { Before, After };

/// The block whose projections stand under `attention` of `layer` ("self_attn") and whose LayerNorm under
/// `norm`.
BlockWeights blockWeights(const Scope& layer, const std::string& attention, const std::string& norm,
                          NormPlace place);

/// Why T_ij does not exist for these groups, as one sentence; empty where the decomposition is exact.
std::string reasonWithoutContributions(const std::vector<GroupStep>& groups);

/// The groups of a step; where only the whole layer's map was captured, one group of full heads that holds
/// it.
std::vector<GroupStep> groupsOf(const AttentionStep& step);

/// The weights of a group written out, without the batch: [head, query, key], or [head, query,
/// compressedKey].
at::Tensor denseMap(const AttentionMap& map);

} // namespace headroom::models
