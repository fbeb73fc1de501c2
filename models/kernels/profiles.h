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

/// The same of the first `own` queries and keys of each map on the CPU, [head, query, key] float, contiguous:
/// rows are divided by their sums over these keys, in place of a cut map. A row without weight on them stays
/// zero.
at::Tensor ownDiagonalSums(const at::Tensor& attention, std::int64_t own);

} // namespace headroom::models
