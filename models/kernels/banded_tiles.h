// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/kernels/banded_device.h"
#include "models/kernels/banded_place.h"
#include "models/kernels/tensor_cores.h"

#include <cstddef>
#include <cstdint>

/// What the kernels of banded_tiles_cuda.cu are made of: rows to and from shared memory, products of 16 rows with 16, and which rows a
/// warp sees.
namespace headroom::models::device::tiles {

/// Warps of a block, rows of a warp, rows of a block.
constexpr int kWarps = 4, kStep = 16, kRows = kWarps * kStep;
/// Rows of a tile: all that 64 rows with a window of 33 see, where the shared memory has the room.
template <int kWidth>
constexpr int kTile = kWidth > 64 ? 64 : 96;
/// Numbers from row to row in shared memory. Eight more than a row has keep the lanes in different banks.
template <int kWidth>
constexpr int kStride = kWidth + 8;
template <int kWidth>
constexpr std::size_t kTileBytes = kTile<kWidth> * kStride<kWidth> * sizeof(Bfloat16);

struct alignas(16) Eight {
    std::uint32_t words[4];
};

/// Whether rows can be moved eight numbers at a time.
template <class T>
__device__ bool inEights(const T* data, std::int64_t token, int width) {
    return reinterpret_cast<std::uintptr_t>(data) % sizeof(Eight) == 0 && token % 8 == 0 && width % 8 == 0;
}

/// Copies `count` rows from `first` on to shared memory; zeros where there is no row (before 0, from `limit` on) or channel.
template <int kWidth>
__device__ void load(BandRows<const Bfloat16> rows, const BandPlace& place, int first, int count, int limit, int width,
                     Bfloat16* to) {
    constexpr int kPieces = kWidth / 8;
    const Bfloat16* data = headOf(rows, place);
    const bool eights = inEights(data, rows.token, width);
    for (int n = threadIdx.y * kWarp + threadIdx.x; n < count * kPieces; n += kWarps * kWarp) {
        const int row = n / kPieces, channel = n % kPieces * 8, i = first + row;
        const Bfloat16* from = data + i * rows.token + channel;
        const bool there = i >= 0 && i < limit;
        Bfloat16* here = to + row * kStride<kWidth> + channel;
        if (eights)
            *reinterpret_cast<Eight*>(here) =
                there && channel < width ? *reinterpret_cast<const Eight*>(from) : Eight{};
        else
            for (int c = 0; c < 8; ++c)
                here[c] = there && channel + c < width ? from[c] : Bfloat16{};
    }
}

/// Which rows of the fragments a lane holds.
struct Lane {
    int group, member;
    __device__ Lane() : group(threadIdx.x / 4), member(threadIdx.x % 4) {}
};

/// The 16 rows of this warp, of the 64 at `rows`, as left factors.
template <int kWidth>
__device__ void leftFactors(const Bfloat16* rows, std::uint32_t (*a)[4]) {
    const Lane lane;
    const Bfloat16* own = rows + (threadIdx.y * kStep + lane.group) * kStride<kWidth> + 2 * lane.member;
    HEADROOM_UNROLL
    for (int c = 0; c < kWidth / 16; ++c)
        HEADROOM_UNROLL
    for (int part = 0; part < 4; ++part)
        a[c][part] = *reinterpret_cast<const std::uint32_t*>(own + part % 2 * 8 * kStride<kWidth> + part / 2 * 8 + 16 * c);
}

/// products[n] = a · the rows 8n to 8n + 7 of the 16 at `rows`, transposed.
template <int kWidth>
__device__ void products(const std::uint32_t (*a)[4], const Bfloat16* rows, int width, float (*found)[4]) {
    const Lane lane;
    HEADROOM_UNROLL
    for (int n = 0; n < 2; ++n) {
        HEADROOM_UNROLL
        for (int e = 0; e < 4; ++e)
            found[n][e] = 0;
        const Bfloat16* row = rows + (8 * n + lane.group) * kStride<kWidth> + 2 * lane.member;
        HEADROOM_UNROLL
        for (int c = 0; c < kWidth / 16; ++c)
            if (16 * c < width)
                multiply(found[n], a[c], *reinterpret_cast<const std::uint32_t*>(row + 16 * c),
                     *reinterpret_cast<const std::uint32_t*>(row + 16 * c + 8));
    }
}

/// sums += weights · the 16 rows at `rows`, for weights in the layout of sums.
template <int kWidth>
__device__ void addRows(const float (*weights)[4], const Bfloat16* rows, int width, float (*sums)[4]) {
    const std::uint32_t a[4] = {packed(weights[0][0], weights[0][1]), packed(weights[0][2], weights[0][3]),
                                packed(weights[1][0], weights[1][1]), packed(weights[1][2], weights[1][3])};
    const Bfloat16* row = rows + threadIdx.x % 16 * kStride<kWidth> + threadIdx.x / 16 * 8;
    HEADROOM_UNROLL
    for (int c = 0; c < kWidth / 16; ++c) {
        if (16 * c >= width)
            break;
        std::uint32_t b[4];
        loadColumns(b, row + 16 * c);
        multiply(sums[2 * c], a, b[0], b[1]);
        multiply(sums[2 * c + 1], a, b[2], b[3]);
    }
}

/// Rounds and stores this warp's 16 rows, through its own part of `room`, which nobody reads any more.
template <int kWidth>
__device__ void storeRows(const float (*sums)[4], const BandPlace& place, int limit, int width, Bfloat16* room,
                          BandRows<Bfloat16> out) {
    const Lane lane;
    Bfloat16* own = room + threadIdx.y * kStep * kStride<kWidth>;
    HEADROOM_UNROLL
    for (int n = 0; n < kWidth / 8; ++n)
        HEADROOM_UNROLL
    for (int part = 0; part < 2; ++part)
        *reinterpret_cast<std::uint32_t*>(own + (lane.group + 8 * part) * kStride<kWidth> + 8 * n + 2 * lane.member) =
            packed(sums[n][2 * part], sums[n][2 * part + 1]);
    __syncwarp();
    constexpr int kPieces = kWidth / 8;
    Bfloat16* data = headOf(out, place);
    const bool eights = inEights(data, out.token, width);
    for (int n = threadIdx.x; n < kStep * kPieces; n += kWarp) {
        const int row = n / kPieces, channel = n % kPieces * 8;
        const int i = static_cast<int>(place.first) + static_cast<int>(threadIdx.y) * kStep + row;
        if (i >= limit)
            continue;
        const Bfloat16* from = own + row * kStride<kWidth> + channel;
        Bfloat16* to = data + i * out.token + channel;
        if (eights && channel < width)
            *reinterpret_cast<Eight*>(to) = *reinterpret_cast<const Eight*>(from);
        else
            for (int c = 0; c < 8 && channel + c < width; ++c)
                to[c] = from[c];
    }
}

__device__ inline float quadSum(float x) {
    x += __shfl_xor_sync(kAllLanes, x, 1);
    return x + __shfl_xor_sync(kAllLanes, x, 2);
}
/// NaN if a lane has NaN.
__device__ inline float quadMax(float x) {
    for (int other = 1; other < 4; other *= 2) {
        const float there = __shfl_xor_sync(kAllLanes, x, other);
        x = x != x || x > there ? x : there;
    }
    return x;
}

/// The window of this warp's rows. Of the numbers in the layout of sums, row `half` is first() + 8 half.
struct Window {
    int tokens, keys, reach, first; ///< first: row of this lane's group
    __device__ Window(const BandShape& shape, const BandPlace& place)
        : tokens(static_cast<int>(shape.tokens))
        , keys(static_cast<int>(place.keys))
        , reach(static_cast<int>(shape.reach))
        , first(static_cast<int>(place.first) + static_cast<int>(threadIdx.y) * kStep + Lane().group) {}
    /// The first row of the first tile: the tiles of a block begin with the window of its first row, in steps of 16 from it.
    __device__ int begin(const BandPlace& place) const {
        const int from = static_cast<int>(place.first) - reach;
        return from >= 0 ? from : from + -from / kStep * kStep;
    }
    __device__ int end(const BandPlace& place, int limit) const {
        const int to = static_cast<int>(place.first) + kRows + reach;
        return to < limit ? to : limit;
    }
    /// Whether a row of this warp sees one of the 16 rows from `j` on.
    __device__ bool sees(int j) const {
        const int own = first - Lane().group;
        return j + kStep > own - reach && j < own + kStep + reach;
    }
    /// The slot of key j of query i, or −1.
    __device__ int slot(int i, int j) const {
        const int found = j - i + reach;
        return i >= 0 && i < tokens && j >= 0 && j < keys && found >= 0 && found <= 2 * reach ? found : -1;
    }
    __device__ std::int64_t at(int i, int slot) const { return static_cast<std::int64_t>(i) * (2 * reach + 1) + slot; }
};

} // namespace headroom::models::device::tiles
