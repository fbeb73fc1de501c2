// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/gating_module.h"

#include "models/layers/basic.h"
#include "models/layers/padding.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/conv1d.h>

namespace headroom::models {
namespace {

/// A centred depthwise convolution over time of `x` [batch, token, channel].
at::Tensor depthwiseOverTime(const Scope& scope, const at::Tensor& x, int kernel, const std::vector<std::int64_t>& lengths) {
    at::Tensor y = x.transpose(1, 2).clone(at::MemoryFormat::Contiguous); // [batch, channel, token]
    zeroBeyond(y, lengths);
    return at::conv1d(y, scope["weight"], scope["bias"], {1}, {kernel / 2}, {1}, y.size(1)).transpose(1, 2);
}

} // namespace

at::Tensor gatingModule(const Scope& scope, const Architecture::GatedBranch& shape, const at::Tensor& x,
                        const std::vector<std::int64_t>& lengths, const Dropout& dropout, double epsilon) {
    const at::Tensor units = activated(linear(scope / "linear_1", x), Activation::Gelu); // [batch, token, units]
    const std::int64_t half = shape.units / 2;
    const at::Tensor gate = depthwiseOverTime(
        scope / "gate_conv", layerNorm(scope / "gate_norm", units.narrow(2, half, half), epsilon), shape.kernel, lengths);
    const at::Tensor product = dropped(units.narrow(2, 0, half).mul(gate), dropout.hidden); // [batch, token, half]
    return dropped(linear(scope / "linear_2", product), dropout.hidden);
}

at::Tensor mergedBranches(const Scope& scope, const Architecture::GatedBranch& shape, const at::Tensor& attended,
                          const at::Tensor& gated, const std::vector<std::int64_t>& lengths, const Dropout& dropout) {
    at::Tensor both = at::cat({attended, gated}, 2); // [batch, token, 2 · width]
    if (shape.mergeKernel > 0)
        both = both.add(depthwiseOverTime(scope / "conv", both, shape.mergeKernel, lengths));
    return dropped(linear(scope / "proj", both), dropout.hidden);
}

} // namespace headroom::models
