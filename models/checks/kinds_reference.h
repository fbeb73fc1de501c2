// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/attention/attention_plan.h"
#include "models/layers/parameters.h"

#include <ATen/core/Tensor.h>

#include <vector>

namespace headroom::models {

/// The reference of models/attention: the self-attention block of one layer, every kind of head written out
/// from its definition over dense maps and a rule "may query i see key j", in the precision of its tensors
/// (double). Differentiated by ATen. Position tables are inputs and come from the models.
struct KindsReference {
    Scope layer; ///< as for selfAttentionBlock
    const AttentionPlan& plan;
    const std::vector<std::int64_t>& lengths; ///< one per recording
    bool training;
    bool placesInDouble = true; ///< else the table of relative-legacy positions is that of float32

    /// x [batch, token, width] → x + MHA(LN x), or LN(x + MHA x). `kept`: a map for each group of the reused
    /// layer, written by a layer with its own maps and read by one that reuses them. Queries beyond a
    /// recording's length are undefined.
    at::Tensor block(const at::Tensor& x, std::vector<at::Tensor>& kept) const;
};

} // namespace headroom::models
