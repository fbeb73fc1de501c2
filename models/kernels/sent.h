// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace at {
class Tensor;
}
namespace c10 {
struct Device;
}

namespace headroom::models {

/// Returns a tensor that was made on the CPU on `device`, without waiting for what is computed there. Through pinned memory.
at::Tensor sent(const at::Tensor& made, c10::Device device);

} // namespace headroom::models
