// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace at {
class Tensor;
}

/// Block-local attention as in the released Multiformer (Sant et al. 2022, through local-attention 1.4.3):
/// tokens are cut into blocks of b = ⌊w/3⌋ from token 0, and a query sees its own block and both neighbours.
/// For w = 64: 63 keys, 42 in the first and the last block, 21 to 41 on each side depending on the position
/// in the block. Computed as a band of reach 2b − 1 (banded.h) of which a query sees three quarters: time and
/// memory O(N · w).
namespace headroom::models {

std::int64_t blockSize(int window);  ///< b
std::int64_t blockReach(int window); ///< 2b − 1

/// Slots of the band outside the neighbouring blocks: bool [1, 1, query, 4b − 1]. Non-existent keys are not
/// hidden here.
at::Tensor hiddenOutsideBlocks(std::int64_t tokens, std::int64_t size);

} // namespace headroom::models
