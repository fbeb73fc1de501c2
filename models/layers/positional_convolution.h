// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "models/layers/dropout.h"
#include "models/layers/parameters.h"

#include <cstdint>
#include <vector>

namespace headroom::models {

/// What convolutional positions add to `x` [batch, token, width] (core/architecture/README.md,
/// “positionalConvolution”). `scope` has n.weight, or n.weight_g [1, 1, kernel] and n.weight_v with weight
/// norm, and n.bias; batch_norm where the document has one. Tokens beyond each of `lengths` (empty: no padding)
/// are zeros for each convolution. [batch, token, width]
at::Tensor convolvedPositions(const Scope& scope, const Architecture::PositionalConvolution& shape,
                              const at::Tensor& x, const std::vector<std::int64_t>& lengths, const Dropout& dropout);

} // namespace headroom::models
