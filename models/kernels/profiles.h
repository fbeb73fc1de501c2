// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace at {
class Tensor;
}

namespace headroom::models {

/// Sums along the diagonals of each head's map: `attention` [head, query, key] float, contiguous → [head, 2N
/// − 1] double, offsets −(N−1) … N−1. `reach`: as in contributions(). Threads: at::parallel_for over the
/// heads.
at::Tensor diagonalSums(const at::Tensor& attention, std::int64_t reach);

} // namespace headroom::models
