// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace at {
class Tensor;
}

namespace headroom::models {

/// The mask of drawMask() (dropout_kernels.h) out of ATen's operations, in the shape, type and device of `like`: `kept`,
/// or 0 where the number of key and place is below `limit`. The same numbers as on the CPU, bit for bit, so that a run
/// may go on with another device.
at::Tensor dropoutMask(const at::Tensor& like, std::uint64_t key, std::uint32_t limit, float kept);

} // namespace headroom::models
