// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "models/layers/dropout.h"
#include "models/layers/parameters.h"

#include <cstdint>
#include <vector>

namespace headroom::models {

/// The convolution module of a conformer layer without its residual (Gulati et al. 2020, Fig. 2): LayerNorm,
/// pointwise d → 2d, GLU, depthwise convolution along time (centred or causal), BatchNorm or LayerNorm,
/// activation, pointwise d → d, dropout. `epsilon`: of the LayerNorms. `x` [batch, token, width]. Tokens
/// beyond each of `lengths` (empty: no padding) are zeros for the depthwise convolution and not counted by
/// BatchNorm. `scope` has layer_norm, pointwise_conv1, depthwise_conv, batch_norm or norm, pointwise_conv2.
at::Tensor convolutionModule(const Scope& scope, const Architecture::Convolution& shape, const at::Tensor& x,
                             const std::vector<std::int64_t>& lengths, const Dropout& dropout,
                             double epsilon = 1e-5);

} // namespace headroom::models
