// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/attention/local_block.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/constant_pad_nd.h>

namespace headroom::models {
namespace {

std::int64_t blockCount(std::int64_t tokens, std::int64_t size) {
    return (tokens + size - 1) / size;
}

/// `before` and `after` zeros around the tokens.
at::Tensor filled(const at::Tensor& x, std::int64_t before, std::int64_t after) {
    return before || after ? at::constant_pad_nd(x, {0, 0, before, after}) : x;
}

} // namespace

std::int64_t blockSize(int window) {
    return window / 3;
}

at::Tensor inBlocks(const at::Tensor& x, std::int64_t size) {
    const std::int64_t blocks = blockCount(x.size(2), size);
    return filled(x, 0, blocks * size - x.size(2)).reshape({x.size(0), x.size(1), blocks, size, x.size(3)});
}

at::Tensor withNeighbours(const at::Tensor& x, std::int64_t size) {
    const std::int64_t blocks = blockCount(x.size(2), size);
    return filled(x, size, (blocks + 1) * size - x.size(2)).unfold(2, 3 * size, size).transpose(3, 4);
}

at::Tensor fromBlocks(const at::Tensor& x, std::int64_t tokens) {
    return x.reshape({x.size(0), x.size(1), x.size(2) * x.size(3), x.size(4)}).narrow(2, 0, tokens);
}

at::Tensor hiddenInBlocks(const at::Tensor& lengths, std::int64_t tokens, std::int64_t size) {
    const std::int64_t blocks = blockCount(tokens, size);
    const at::Tensor key = at::arange(-size, 2 * size, at::kLong)
                               .add(at::arange(blocks, at::kLong).mul(size).unsqueeze(1))
                               .view({1, 1, blocks, 1, 3 * size});
    const at::Tensor before = key.lt(0);
    return before.logical_or(lengths.defined() ? key.ge(lengths.view({-1, 1, 1, 1, 1})) : key.ge(tokens));
}

at::Tensor blocksToBand(const at::Tensor& weights, std::int64_t tokens) {
    const std::int64_t size = weights.size(3), slots = 4 * size - 1, rows = weights.size(2) * size;
    const at::IntArrayRef shape = weights.sizes();
    if (size == 1)
        return weights.reshape({shape[0], shape[1], rows, 3}).narrow(2, 0, tokens);
    // Row r of a block begins at slot size − 1 − r: rows of the band laid one behind the other, each begins
    // one number earlier than the one before, so rows that are one number shorter than the band's fall into
    // place.
    const at::Tensor shorter = at::constant_pad_nd(weights, {0, size - 2}).flatten(3);
    return at::constant_pad_nd(shorter, {size - 1, 1})
        .reshape({shape[0], shape[1], rows, slots})
        .narrow(2, 0, tokens);
}

} // namespace headroom::models
