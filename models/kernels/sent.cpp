// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/kernels/sent.h"

#include <ATen/core/Tensor.h>

namespace headroom::models {

at::Tensor sent(const at::Tensor& made, c10::Device device) {
    if (device.is_cpu() || device.is_meta() || !made.is_cpu())
        return made.to(device);
    return made.pin_memory().to(made.options().device(device), /*non_blocking=*/true);
}

} // namespace headroom::models
