// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/basic.h"

#include "models/layers/inference_linear.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/silu.h>

#include <utility>

namespace headroom::models {

namespace {

at::Tensor biasOf(const Scope& scope) {
    return scope.has("bias") ? scope["bias"] : at::Tensor();
}

} // namespace

at::Tensor linear(const Scope& scope, const at::Tensor& x) {
    if (const at::Tensor fused = inferenceLinear(x, scope["weight"], biasOf(scope)); fused.defined())
        return fused;
    if (scope.has("bias"))
        return at::linear(x, scope["weight"], scope["bias"]);
    return at::linear(x, scope["weight"]);
}

at::Tensor layerNorm(const Scope& scope, const at::Tensor& x, double epsilon) {
    return at::layer_norm(x, {x.size(-1)}, scope["weight"], scope["bias"], epsilon);
}

at::Tensor activated(at::Tensor x, Activation activation) {
    const bool inPlace = !x.requires_grad();
    switch (activation) {
    case Activation::Relu:
        return inPlace ? x.relu_() : x.relu();
    case Activation::Swish:
        return inPlace ? at::silu_(x) : at::silu(x);
    case Activation::Gelu:
    case Activation::GeluTanh:
        break;
    }
    const char* form = activation == Activation::GeluTanh ? "tanh" : "none";
    return inPlace ? at::gelu_(x, form) : at::gelu(x, form);
}

namespace {

/// fc2(drop(activation(fc1(x)))), [batch, token, width]
at::Tensor inner(const Scope& scope, const at::Tensor& x, const Dropout& dropout, Activation activation) {
    // A matrix in, a matrix out: what a linear layer gives for more dimensions is a view, and a view cannot
    // be overwritten without a copy.
    const bool overwrites = activation == Activation::Relu && dropout.inner() > 0;
    if (!overwrites)
        if (const at::Tensor fused = inferenceLinear(x, (scope / "fc1")["weight"], biasOf(scope / "fc1"), activation);
            fused.defined())
            return linear(scope / "fc2", dropped(fused, dropout.inner()));
    const at::Tensor rows = overwrites ? x.reshape({-1, x.size(-1)}) : x;
    at::Tensor hidden = linear(scope / "fc1", rows); // [batch, token, feedForward]
    if (overwrites)
        return linear(scope / "fc2", reluDropped(std::move(hidden), dropout.inner())).view(x.sizes());
    hidden = activated(std::move(hidden), activation);
    return linear(scope / "fc2", dropped(hidden, dropout.inner()));
}

} // namespace

at::Tensor feedForward(const Scope& scope, const at::Tensor& x, const Dropout& dropout,
                       Activation activation) {
    return dropped(inner(scope, x, dropout, activation), dropout.hidden); // [batch, token, width]
}

at::Tensor feedForwardBlock(const Scope& scope, const at::Tensor& x, bool postNorm, Activation activation,
                            const Dropout& dropout, double epsilon) {
    const Scope norm = scope / "final_layer_norm";
    if (postNorm)
        return layerNorm(norm, addDropped(inner(scope, x, dropout, activation), x, dropout.hidden), epsilon);
    return addDropped(inner(scope, layerNorm(norm, x, epsilon), dropout, activation), x, dropout.hidden);
}

at::Tensor adapterBlock(const Scope& scope, const at::Tensor& x) {
    const at::Tensor hidden = linear(scope / "linear_1", layerNorm(scope / "norm", x));
    return x.add(linear(scope / "linear_2", hidden.relu()));
}

} // namespace headroom::models
