// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/attention/local_block.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>

namespace headroom::models {

std::int64_t blockSize(int window) {
    return window / 3;
}

std::int64_t blockReach(int window) {
    return 2 * blockSize(window) - 1;
}

at::Tensor hiddenOutsideBlocks(std::int64_t tokens, std::int64_t size) {
    // From the beginning of the query's block, its three blocks are the offsets −b … 2b − 1.
    const at::Tensor place = at::arange(tokens, at::kLong).remainder(size).unsqueeze(1);
    const at::Tensor offset = place.add(at::arange(1 - 2 * size, 2 * size, at::kLong)); // [query, slot]
    return offset.lt(-size).logical_or_(offset.ge(2 * size)).view({1, 1, tokens, 4 * size - 1});
}

} // namespace headroom::models
