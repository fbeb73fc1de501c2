// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/choices.h"
#include "models/layers/dropout.h"
#include "models/layers/parameters.h"

namespace headroom::models {

/// x Wᵀ + b; `scope` has weight [out, in] and optionally bias [out]. Any leading dimensions.
at::Tensor linear(const Scope& scope, const at::Tensor& x);

/// LayerNorm over the last dimension, population variance; `scope` has weight and bias [width].
at::Tensor layerNorm(const Scope& scope, const at::Tensor& x, double epsilon = 1e-5);

/// Activation of every number; overwrites `x` if no gradient is recorded.
at::Tensor activated(at::Tensor x, Activation activation);

/// drop(fc2(drop(activation(fc1(x))))); `scope` has fc1 and fc2.
at::Tensor feedForward(const Scope& scope, const at::Tensor& x, const Dropout& dropout = {},
                       Activation activation = Activation::Relu);

/// The feed-forward block at the end of a layer, x + FFN(LN x), or LN(x + FFN x) if `postNorm`; `scope` is
/// the layer, with final_layer_norm, fc1 and fc2.
at::Tensor feedForwardBlock(const Scope& scope, const at::Tensor& x, bool postNorm, Activation activation,
                            const Dropout& dropout, double epsilon = 1e-5);

/// The adapter behind a layer, x + linear_2(relu(linear_1(norm x))), ε 1e-5 (MMS, Pratap et al. 2023, §4);
/// `scope` has norm, linear_1 and linear_2.
at::Tensor adapterBlock(const Scope& scope, const at::Tensor& x);

} // namespace headroom::models
