// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/kernels/banded_device.h"
#include "models/kernels/device_code.h"

#include <cstdint>

namespace headroom::models::device {

/// What a block of the band's kernels works on: grid.y counts the heads of all recordings, grid.x their rows.
struct BandPlace {
    std::int64_t batch, head, first; ///< first: row
    std::int64_t keys;               ///< of this recording
};

__device__ inline BandPlace bandPlace(const BandShape& shape, std::int64_t rowsOfBlock) {
    const std::int64_t batch = blockIdx.y / shape.heads, head = blockIdx.y % shape.heads;
    return {batch, head, static_cast<std::int64_t>(blockIdx.x) * rowsOfBlock,
            shape.lengths ? shape.lengths[batch] : shape.tokens};
}

template <class T>
__device__ T* headOf(const BandRows<T>& rows, const BandPlace& place) {
    return rows.data + place.batch * rows.batch + place.head * rows.head;
}

__device__ inline std::int64_t slotsOf(const BandShape& shape) {
    return 2 * shape.reach + 1;
}

/// The band of this block's head, [token, slot].
template <class S>
__device__ S* headOf(S* band, const BandShape& shape) {
    return band + static_cast<std::int64_t>(blockIdx.y) * shape.tokens * slotsOf(shape);
}

inline dim3 bandGrid(const BandShape& shape, std::int64_t rowsOfBlock, std::int64_t chunks = 1) {
    return {blocksFor(shape.tokens, rowsOfBlock), static_cast<unsigned>(shape.batches * shape.heads),
            static_cast<unsigned>(chunks)};
}

inline bool isEmpty(const BandShape& shape) {
    return shape.tokens == 0 || shape.batches == 0 || shape.heads == 0;
}

} // namespace headroom::models::device
