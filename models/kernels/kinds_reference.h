// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/attention/attention_plan.h"
#include "models/layers/parameters.h"

#include <ATen/core/Tensor.h>

#include <vector>

namespace headroom::models {

/// The oracle of models/attention: the self-attention block of one layer, every kind of head written out from
/// its definition over dense maps and a rule "may query i see key j", in the precision of its tensors
/// (double). ATen differentiates it. Tables of positions are the models' own: they are inputs.
struct KindsReference {
    Scope layer; ///< as selfAttentionBlock takes it
    const AttentionPlan& plan;
    const std::vector<std::int64_t>& lengths; ///< one per recording
    bool training;

    /// x [batch, token, width] → x + MHA(LN x), or LN(x + MHA x). `kept`: a map for each group of the layer
    /// that is reused; written by a layer with maps of its own, read by one that reuses them. Queries beyond
    /// a recording's length are not defined.
    at::Tensor block(const at::Tensor& x, std::vector<at::Tensor>& kept) const;
};

} // namespace headroom::models
