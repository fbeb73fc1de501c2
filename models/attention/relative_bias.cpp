// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/attention/relative_bias.h"

#include "models/attention/multi_head.h"
#include "models/layers/basic.h"
#include "models/layers/device.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/where.h>

#include <cmath>

namespace headroom::models {

at::Tensor relativeBuckets(const Architecture::RelativeBias& shape, std::int64_t tokens) {
    const std::int64_t half = shape.buckets / 2, exact = half / 2;
    const at::Tensor offset = at::arange(1 - tokens, tokens, at::kLong);
    const at::Tensor distance = offset.abs();
    // In float32 and in this order, as in the original: a distance on the border of two buckets depends on it.
    const double range = std::log(static_cast<double>(shape.maxDistance) / static_cast<double>(exact));
    const at::Tensor far = distance.clamp_min(1)
                               .to(at::kFloat)
                               .div(static_cast<double>(exact))
                               .log()
                               .div(range)
                               .mul(static_cast<double>(half - exact))
                               .add(static_cast<double>(exact))
                               .to(at::kLong)
                               .clamp_max(half - 1);
    return at::where(distance.lt(exact), distance, far).add(offset.gt(0).to(at::kLong).mul(half));
}

at::Tensor biasByOffset(const at::Tensor& buckets, const Architecture::RelativeBias& shape,
                        std::int64_t tokens) {
    return buckets.index_select(0, sent(relativeBuckets(shape, tokens), buckets.device())).t().contiguous();
}

at::Tensor biasMap(const at::Tensor& byOffset) {
    const std::int64_t tokens = (byOffset.size(1) + 1) / 2;
    return byOffset.unfold(1, tokens, 1).flip({1}); // row 0 of the windows is the last query
}

at::Tensor biasGate(const Scope& attention, const at::Tensor& input, std::int64_t heads) {
    const at::Tensor parts = linear(attention / "gru_rel_pos_linear", splitHeads(input, heads));
    const at::Tensor gates = parts.unflatten(-1, {2, 4}).sum(-1).sigmoid(); // [batch, head, token, 2]
    const at::Tensor& scale = attention["gru_rel_pos_const"];               // [1, head, 1, 1]
    return gates.narrow(3, 0, 1).mul(gates.narrow(3, 1, 1).mul(scale).sub(1)).add(2);
}

} // namespace headroom::models
