// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/layers/dropout.h"
#include "models/layers/parameters.h"

#include <string>

namespace headroom::models {

/// What stands between the two linear layers of a feed-forward. GELU is the exact one, swish is x ·
/// sigmoid(x).
enum class Activation { Relu, Gelu, Swish };
/// "relu", "gelu" or "swish", as the document has it.
Activation activationOf(const std::string& word);

/// x Wᵀ + b; `scope` holds weight [out, in] and, where the layer has one, bias [out]. Any leading dimensions.
at::Tensor linear(const Scope& scope, const at::Tensor& x);

/// LayerNorm over the last dimension, population variance, ε 1e-5; `scope` holds weight and bias [width].
at::Tensor layerNorm(const Scope& scope, const at::Tensor& x);

/// drop(fc2(drop(activation(fc1(x))))); `scope` holds fc1 and fc2.
at::Tensor feedForward(const Scope& scope, const at::Tensor& x, const Dropout& dropout = {},
                       Activation activation = Activation::Relu);

/// The feed-forward block that ends a layer, x + FFN(LN x), or LN(x + FFN x) where `postNorm`; `scope` is the
/// layer: it holds final_layer_norm, fc1 and fc2.
at::Tensor feedForwardBlock(const Scope& scope, const at::Tensor& x, bool postNorm, Activation activation,
                            const Dropout& dropout);

} // namespace headroom::models
