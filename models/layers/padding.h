// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace at {
class Tensor;
}

namespace headroom::models {

/// Zeroes x [batch, channel, frame, …] beyond each of `lengths` along the third dimension; empty: no padding.
/// In place if no gradient is recorded, otherwise in a copy.
void zeroBeyond(at::Tensor& x, const std::vector<std::int64_t>& lengths);

} // namespace headroom::models
