// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/choices.h"
#include "models/layers/dropout.h"
#include "models/layers/parameters.h"

namespace headroom::models {

/// x Wᵀ + b; `scope` has weight [out, in] and optionally bias [out]. Any leading dimensions.
at::Tensor linear(const Scope& scope, const at::Tensor& x);

/// LayerNorm over the last dimension, population variance, ε 1e-5; `scope` has weight and bias [width].
at::Tensor layerNorm(const Scope& scope, const at::Tensor& x);

/// drop(fc2(drop(activation(fc1(x))))); `scope` has fc1 and fc2.
at::Tensor feedForward(const Scope& scope, const at::Tensor& x, const Dropout& dropout = {},
                       Activation activation = Activation::Relu);

/// The feed-forward block at the end of a layer, x + FFN(LN x), or LN(x + FFN x) if `postNorm`; `scope` is
/// the layer, with final_layer_norm, fc1 and fc2.
at::Tensor feedForwardBlock(const Scope& scope, const at::Tensor& x, bool postNorm, Activation activation,
                            const Dropout& dropout);

} // namespace headroom::models
