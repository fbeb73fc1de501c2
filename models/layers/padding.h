// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace at {
class Tensor;
}

namespace headroom::models {

/// Keys beyond each recording's tokens, bool [batch, 1, 1, key]; undefined if all have length `tokens`, as with
/// empty `lengths`.
at::Tensor hiddenPadding(const std::vector<std::int64_t>& lengths, std::int64_t tokens);

/// Zeroes x [batch, channel, frame, …] beyond each of `lengths` along the third dimension; empty: no padding.
/// In place if no gradient is recorded, otherwise in a copy.
void zeroBeyond(at::Tensor& x, const std::vector<std::int64_t>& lengths);

} // namespace headroom::models
