// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/basic.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/silu.h>

namespace headroom::models {

Activation activationOf(const std::string& word) {
    return word == "gelu" ? Activation::Gelu : word == "swish" ? Activation::Swish : Activation::Relu;
}

at::Tensor linear(const Scope& scope, const at::Tensor& x) {
    if (scope.has("bias"))
        return at::linear(x, scope["weight"], scope["bias"]);
    return at::linear(x, scope["weight"]);
}

at::Tensor layerNorm(const Scope& scope, const at::Tensor& x) {
    constexpr double kEpsilon = 1e-5;
    return at::layer_norm(x, {x.size(-1)}, scope["weight"], scope["bias"], kEpsilon);
}

at::Tensor feedForward(const Scope& scope, const at::Tensor& x, const Dropout& dropout,
                       Activation activation) {
    at::Tensor hidden = linear(scope / "fc1", x); // [batch, token, feedForward]
    hidden = activation == Activation::Relu   ? hidden.relu()
             : activation == Activation::Gelu ? at::gelu(hidden)
                                              : at::silu(hidden);
    return dropped(linear(scope / "fc2", dropped(hidden, dropout.hidden)),
                   dropout.hidden); // [batch, token, width]
}

at::Tensor feedForwardBlock(const Scope& scope, const at::Tensor& x, bool postNorm, Activation activation,
                            const Dropout& dropout) {
    const Scope norm = scope / "final_layer_norm";
    if (postNorm)
        return layerNorm(norm, addResidual(feedForward(scope, x, dropout, activation), x));
    return addResidual(feedForward(scope, layerNorm(norm, x), dropout, activation), x);
}

} // namespace headroom::models
