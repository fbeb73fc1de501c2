// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/dropout.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/dropout.h>

namespace headroom::models {

at::Tensor dropped(const at::Tensor& x, double share) {
    return share > 0 ? at::dropout(x, share, true) : x;
}

at::Tensor addResidual(at::Tensor fresh, const at::Tensor& x) {
    return fresh.scalar_type() == x.scalar_type() ? fresh.add_(x) : fresh.add(x);
}

} // namespace headroom::models
