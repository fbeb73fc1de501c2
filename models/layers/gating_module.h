// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "models/layers/dropout.h"
#include "models/layers/parameters.h"

#include <cstdint>
#include <vector>

namespace headroom::models {

/// The MLP of a Branchformer layer (cgMLP: Sakuma et al. 2022; Peng et al. 2022, §3.4): linear d → units, GELU; its first
/// half times a gate, dropout; linear units/2 → d, dropout. The gate is LayerNorm and a depthwise convolution over time
/// of the second half. `x` [batch, token, width] after LayerNorm. Tokens beyond each of `lengths` (empty: no padding)
/// are zeros for the convolution. `scope` has linear_1, gate_norm, gate_conv, linear_2.
at::Tensor gatingModule(const Scope& scope, const Architecture::GatedBranch& shape, const at::Tensor& x,
                        const std::vector<std::int64_t>& lengths, const Dropout& dropout, double epsilon);

/// The merge of the two branches, both [batch, token, width], without residual: side by side, plus a depthwise
/// convolution of them over time (if `mergeKernel` is not 0), a linear layer 2d → d, dropout. `scope` has conv and proj.
at::Tensor mergedBranches(const Scope& scope, const Architecture::GatedBranch& shape, const at::Tensor& attended,
                          const at::Tensor& gated, const std::vector<std::int64_t>& lengths, const Dropout& dropout);

} // namespace headroom::models
