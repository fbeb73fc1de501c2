// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/attention/multi_head.h"

#include "models/attention/full.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/matmul.h>

#include <cmath>

namespace headroom::models {

at::Tensor splitHeads(const at::Tensor& x, std::int64_t heads) {
    return x.view({x.size(0), x.size(1), heads, x.size(2) / heads}).transpose(1, 2);
}

at::Tensor joinHeads(const at::Tensor& x) {
    return x.transpose(1, 2).reshape({x.size(0), x.size(2), x.size(1) * x.size(3)});
}

at::Tensor attentionMap(const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& hidden) {
    const double scale = 1.0 / std::sqrt(static_cast<double>(queries.size(-1)));
    return maskedSoftmax(at::matmul(queries.mul(scale), keys.transpose(2, 3)), hidden);
}

} // namespace headroom::models
