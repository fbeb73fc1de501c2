// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/matrix.h"
#include "models/contributions/block_weights.h"

#include <cstdint>
#include <span>

namespace headroom::models {

/// Returns rows `queries` of C in double with every T_ij written out, independently of blockTerms: it starts
/// at the block's input (LayerNorm, v and u in double), and the taps of a convolution scatter each compressed
/// key to its tokens. Self-attention: [queries, N]; with `block.source` (cross-attention): [queries, key +
/// 1], the residual in the last column. A value that was captured wrongly shows as a difference. Computed on
/// the CPU, wherever the tensors are. `keys`, ascending: only their columns, as if there were no other keys (and the residual's
/// column); in self-attention `queries` are among them. Empty, or where a convolution shortens keys: all.
Matrix<double> materialisedTwin(const BlockWeights& block, const std::vector<GroupStep>& groups,
                                const at::Tensor& x, std::span<const std::int64_t> queries,
                                std::span<const std::int64_t> keys = {});

} // namespace headroom::models
