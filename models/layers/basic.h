// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/layers/dropout.h"
#include "models/layers/parameters.h"

namespace headroom::models {

/// x Wᵀ + b; `scope` holds weight [out, in] and, where the layer has one, bias [out]. Any leading dimensions.
at::Tensor linear(const Scope& scope, const at::Tensor& x);

/// LayerNorm over the last dimension, population variance, ε 1e-5; `scope` holds weight and bias [width].
at::Tensor layerNorm(const Scope& scope, const at::Tensor& x);

/// drop(fc2(drop(relu(fc1(x))))); `scope` holds fc1 and fc2.
at::Tensor feedForward(const Scope& scope, const at::Tensor& x, const Dropout& dropout = {});

} // namespace headroom::models
