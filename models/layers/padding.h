// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace at {
class Tensor;
}

namespace headroom::models {

/// Zeros beyond each of `lengths` along the third dimension of x [batch, channel, frame, …]; empty: nothing
/// is padded. Written into x where no gradient is recorded, else into a copy.
void zeroBeyond(at::Tensor& x, const std::vector<std::int64_t>& lengths);

} // namespace headroom::models
