// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace at {
class Tensor;
}

/// Block-local attention as the released Multiformer runs it (Sant et al. 2022, through
/// local-attention 1.4.3): tokens are cut into blocks of b = ⌊w/3⌋ from token 0, filled up on the right; a
/// query sees its own block and both neighbours. For w = 64: 63 keys, 42 in the first and the last block;
/// reach 21 to 41 on each side, depending on the place in the block. Time and memory O(N · w).
namespace headroom::models {

std::int64_t blockSize(int window); ///< ⌊w/3⌋

/// Tokens in blocks: x [batch, head, token, headWidth] → [batch, head, block, size, headWidth].
at::Tensor inBlocks(const at::Tensor& x, std::int64_t size);
/// Each block's keys or values with both neighbours', zeros beyond the ends: → [batch, head, block, 3 · size,
/// headWidth].
at::Tensor withNeighbours(const at::Tensor& x, std::int64_t size);
/// The way back: [batch, head, block, size, headWidth] → [batch, head, token, headWidth].
at::Tensor fromBlocks(const at::Tensor& x, std::int64_t tokens);

/// Keys of a block and its neighbours that are none, before the first token or from `lengths` on ([batch]
/// int64, or undefined: `tokens`): bool [batch or 1, 1, block, 1, 3 · size].
at::Tensor hiddenInBlocks(const at::Tensor& lengths, std::int64_t tokens, std::int64_t size);

/// Weights [batch, head, block, size, 3 · size] as a band of reach 2 · size − 1, [batch, head, token, 4 ·
/// size − 1], with gradient.
at::Tensor blocksToBand(const at::Tensor& weights, std::int64_t tokens);

} // namespace headroom::models
