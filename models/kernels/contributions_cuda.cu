// SPDX-License-Identifier: GPL-3.0-or-later
// contributions.h on a GPU. Rows are normalised by their sums, so every entry is computed twice: rowSums()
// adds each row, and diagonals() computes the entries again where it sums them along the diagonals. C is
// written only if it is asked for.
#include "models/kernels/contributions_device.h"
#include "models/kernels/device_code.h"

namespace headroom::models::device {
namespace {

constexpr int kThreads = 128, kRowWarps = kThreads / kWarp;

/// Gram matrices of the keys, one key per block, one pair (h, g ≥ h) per warp; pairs with g > h are doubled.
template <class T, class S>
__global__ void gramRows(Contributions<T, S> w) {
    const std::int64_t j = blockIdx.x;
    const int lane = threadIdx.x, warp = threadIdx.y;
    std::int64_t pair = 0;
    for (std::int64_t h = 0; h < w.heads; ++h)
        for (std::int64_t g = h; g < w.heads; ++g, ++pair) {
            if (pair % kRowWarps != warp)
                continue;
            const T* a = w.transformed + (h * w.keys + j) * w.width;
            const T* b = w.transformed + (g * w.keys + j) * w.width;
            double product = 0;
            for (std::int64_t d = lane; d < w.width; d += kWarp)
                product += static_cast<double>(wide(a[d])) * static_cast<double>(wide(b[d]));
            product = warpSum(product);
            if (lane == 0)
                w.gram[pair * w.keys + j] = static_cast<S>(g == h ? product : 2 * product);
        }
}

/// ‖T_ij‖ without the residual. kHeads 0: any number.
template <class T, class S, int kHeads>
__device__ S norm(const Contributions<T, S>& w, std::int64_t i, std::int64_t j) {
    const std::int64_t plane = w.queries * w.keys;
    const T* map = w.attention + i * w.keys + j;
    const S* gram = w.gram + j;
    S square = 0;
    if constexpr (kHeads > 0) {
        S a[kHeads];
        HEADROOM_UNROLL
        for (int h = 0; h < kHeads; ++h)
            a[h] = wide(map[h * plane]);
        HEADROOM_UNROLL
        for (int h = 0; h < kHeads; ++h) {
            S row = 0;
            HEADROOM_UNROLL
            for (int g = h; g < kHeads; ++g, gram += w.keys)
                row += a[g] * *gram;
            square += a[h] * row;
        }
    } else {
        for (std::int64_t h = 0; h < w.heads; ++h) {
            S row = 0;
            for (std::int64_t g = h; g < w.heads; ++g, gram += w.keys)
                row += wide(map[g * plane]) * *gram;
            square += wide(map[h * plane]) * row;
        }
    }
    return sqrt(square < 0 ? S(0) : square); // rounding may go below zero; NaN stays
}

/// One row per warp: the entry with the residual, written out, and the row's sum.
template <class T, class S, int kHeads>
__global__ void rowSums(Contributions<T, S> w) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kRowWarps + threadIdx.y;
    const int lane = threadIdx.x;
    if (i >= w.queries)
        return; // the whole warp
    double own = 0;
    for (std::int64_t d = lane; d < w.width; d += kWarp) {
        double value = wide(w.residual[i * w.width + d]);
        if (!w.ownColumn)
            for (std::int64_t h = 0; h < w.heads; ++h)
                value += static_cast<double>(wide(w.attention[(h * w.queries + i) * w.keys + i])) *
                         static_cast<double>(wide(w.transformed[(h * w.keys + i) * w.width + d]));
        own += value * value;
    }
    own = static_cast<double>(static_cast<S>(sqrt(warpSum(own))));

    const std::int64_t begin = w.ownColumn || i < w.reach ? 0 : i - w.reach;
    const std::int64_t end = w.ownColumn || w.keys - i - 1 < w.reach ? w.keys : i + w.reach + 1;
    double sum = 0;
    for (std::int64_t j = begin + lane; j < end; j += kWarp)
        if (w.ownColumn || j != i)
            sum += static_cast<double>(norm<T, S, kHeads>(w, i, j));
    sum = warpSum(sum) + own;
    if (lane != 0)
        return;
    const double inverse = sum == 0 ? 0.0 : 1.0 / sum;
    w.own[i] = own;
    w.inverse[i] = inverse;
    if (w.ownColumn)
        w.out[i * (w.keys + 1) + w.keys] = static_cast<S>(own * inverse);
}

/// A tile of kProfileRows queries by kThreads diagonals: a thread walks down one diagonal, so neighbours read
/// neighbouring keys and no two threads add to one sum.
template <class T, class S, int kHeads>
__global__ void diagonals(Contributions<T, S> w) {
    const std::int64_t first = blockIdx.x * kProfileRows;
    const std::int64_t place =
        static_cast<std::int64_t>(blockIdx.y) * kThreads + threadIdx.x; // of the diagonal
    const std::int64_t lanes = w.keys + kProfileRows - 1;
    if (place >= lanes)
        return;
    const std::int64_t start = place - (kProfileRows - 1); // key of query `first`, perhaps before the first
    const std::int64_t from = start < 0 ? -start : 0;
    std::int64_t to = w.queries - first < kProfileRows ? w.queries - first : kProfileRows;
    to = w.keys - start < to ? w.keys - start : to;
    const std::int64_t columns = w.keys + (w.ownColumn ? 1 : 0), offset = start - first;
    const bool near = w.ownColumn || (offset <= w.reach && -offset <= w.reach);
    double sum = 0;
    for (std::int64_t r = w.out || w.profile ? from : to; r < to; ++r) {
        const std::int64_t i = first + r, j = start + r;
        S entry = 0;
        if (!w.ownColumn && offset == 0)
            entry = static_cast<S>(w.own[i] * w.inverse[i]);
        else if (near)
            entry = static_cast<S>(static_cast<double>(norm<T, S, kHeads>(w, i, j)) * w.inverse[i]);
        if (w.out)
            w.out[i * columns + j] = entry;
        sum += static_cast<double>(entry);
    }
    const std::int64_t plane = static_cast<std::int64_t>(gridDim.x) * lanes;
    double* part = w.parts + blockIdx.x * lanes + place;
    if (w.profile) {
        *part = sum;
        part += plane;
    }
    if (w.headProfiles)
        for (std::int64_t h = 0; h < w.heads; ++h, part += plane) {
            double head = 0;
            if (near)
                for (std::int64_t r = from; r < to; ++r)
                    head += static_cast<double>(
                        wide(w.attention[(h * w.queries + first + r) * w.keys + start + r]));
            *part = head;
        }
}

/// Adds the tiles of one profile in the order of their queries.
template <class T, class S>
__global__ void addParts(Contributions<T, S> w, std::int64_t tiles) {
    const std::int64_t k = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (k >= 2 * w.keys - 1)
        return;
    const std::int64_t lanes = w.keys + kProfileRows - 1;
    const double* parts = w.parts + blockIdx.y * tiles * lanes;
    double sum = 0;
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
        const std::int64_t place = k - (w.keys - 1) + tile * kProfileRows + kProfileRows - 1;
        if (place >= 0 && place < lanes)
            sum += parts[tile * lanes + place];
    }
    const std::int64_t row = static_cast<std::int64_t>(blockIdx.y) - (w.profile ? 1 : 0);
    (row < 0 ? w.profile : w.headProfiles + row * (2 * w.keys - 1))[k] = sum;
}

template <class T, class S, int kHeads>
void launchRows(const Contributions<T, S>& w, void* stream) {
    const dim3 warps(kWarp, kRowWarps);
    if (w.out || w.profile)
        launch(rowSums<T, S, kHeads>, dim3(blocksFor(w.queries, kRowWarps)), warps, 0, stream, w);
    if (!w.out && w.profiles() == 0)
        return;
    const std::int64_t tiles = blocksFor(w.queries, kProfileRows);
    const dim3 grid(static_cast<unsigned>(tiles), blocksFor(w.keys + kProfileRows - 1, kThreads));
    launch(diagonals<T, S, kHeads>, grid, dim3(kThreads), 0, stream, w);
    if (w.profiles() > 0)
        launch(addParts<T, S>, dim3(blocksFor(2 * w.keys - 1, kThreads), static_cast<unsigned>(w.profiles())),
               dim3(kThreads), 0, stream, w, tiles);
}

} // namespace

template <class T, class S>
void launchContributions(const Contributions<T, S>& w, void* stream) {
    if (w.keys == 0 || w.queries == 0)
        return;
    if (w.out || w.profile)
        launch(gramRows<T, S>, dim3(static_cast<unsigned>(w.keys)), dim3(kWarp, kRowWarps), 0, stream, w);
    switch (w.heads) {
    case 1:
        return launchRows<T, S, 1>(w, stream);
    case 4:
        return launchRows<T, S, 4>(w, stream);
    case 8:
        return launchRows<T, S, 8>(w, stream);
    default:
        return launchRows<T, S, 0>(w, stream);
    }
}

template void launchContributions(const Contributions<float, float>&, void*);
template void launchContributions(const Contributions<double, double>&, void*);
template void launchContributions(const Contributions<Bfloat16, float>&, void*);

} // namespace headroom::models::device
