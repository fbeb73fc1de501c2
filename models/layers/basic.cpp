// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/basic.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linear.h>

namespace headroom::models {

at::Tensor linear(const Scope& scope, const at::Tensor& x) {
    if (scope.has("bias"))
        return at::linear(x, scope["weight"], scope["bias"]);
    return at::linear(x, scope["weight"]);
}

at::Tensor layerNorm(const Scope& scope, const at::Tensor& x) {
    constexpr double kEpsilon = 1e-5;
    return at::layer_norm(x, {x.size(-1)}, scope["weight"], scope["bias"], kEpsilon);
}

at::Tensor feedForward(const Scope& scope, const at::Tensor& x, const Dropout& dropout) {
    const at::Tensor hidden =
        dropped(linear(scope / "fc1", x).relu(), dropout.hidden);  // [batch, token, feedForward]
    return dropped(linear(scope / "fc2", hidden), dropout.hidden); // [batch, token, width]
}

} // namespace headroom::models
