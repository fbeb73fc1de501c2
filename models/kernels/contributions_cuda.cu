// SPDX-License-Identifier: GPL-3.0-or-later
// contributions.h on a GPU. Rows are normalised by their sums, so the norms are kept until the sums are known: norms() computes
// each once, with the Gram matrix of its key in registers, and diagonals() divides them and sums them along the diagonals.
#include "models/kernels/contributions_device.h"
#include "models/kernels/device_code.h"

namespace headroom::models::device {
namespace {

constexpr int kThreads = 128, kRowWarps = kThreads / kWarp;
static_assert(kNormKeys == kThreads);
constexpr int kNormRows = 16; ///< queries of a block of norms()

template <class T, class S>
__device__ std::int64_t columnsOf(const Contributions<T, S>& w) {
    return w.keys + (w.ownColumn ? 1 : 0);
}
template <class T, class S>
__device__ S* normsOf(const Contributions<T, S>& w) {
    return w.out ? w.out : w.norms;
}

/// The work of one layer, blockIdx.z of every kernel.
template <class T, class S>
__device__ Contributions<T, S> layerOf(const LayerContributions<T, S>& all) {
    const std::int64_t layer = blockIdx.z;
    Contributions<T, S> w = all.shared;
    w.attention = all.attention[layer];
    w.transformed = all.transformed[layer];
    w.residual = all.residual[layer];
    w.gram += layer * all.gramRoom;
    w.own += layer * w.queries;
    w.inverse += layer * w.queries;
    w.parts += layer * all.partsRoom;
    w.sums += layer * all.sumsRoom;
    w.norms += layer * w.queries * w.keys;
    if (w.profile)
        w.profile += layer * all.step;
    if (w.strongest)
        w.strongest += layer * all.step;
    return w;
}

/// Gram matrices of the keys, one key per block, one pair (h, g ≥ h) per warp; pairs with g > h are doubled.
template <class T, class S>
__global__ void gramRows(LayerContributions<T, S> all) {
    const Contributions<T, S> w = layerOf(all);
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

/// The Gram matrix of one key; kHeads 0: any number of heads, read where it lies.
template <class S, int kHeads>
struct Gram {
    static constexpr int kPairs = kHeads > 0 ? kHeads * (kHeads + 1) / 2 : 1;
    S pairs[kPairs];
    const S* first;
};

template <class T, class S, int kHeads>
__device__ Gram<S, kHeads> gramOf(const Contributions<T, S>& w, std::int64_t j) {
    Gram<S, kHeads> gram{{}, w.gram + j};
    if constexpr (kHeads > 0)
        HEADROOM_UNROLL
    for (int pair = 0; pair < Gram<S, kHeads>::kPairs; ++pair)
        gram.pairs[pair] = gram.first[pair * w.keys];
    return gram;
}

/// ‖T_ij‖ without the residual.
template <class T, class S, int kHeads>
__device__ S norm(const Contributions<T, S>& w, const Gram<S, kHeads>& gram, std::int64_t i, std::int64_t j) {
    const std::int64_t plane = w.queries * w.keys;
    const T* map = w.attention + i * w.keys + j;
    S square = 0;
    if constexpr (kHeads > 0) {
        S a[kHeads];
        HEADROOM_UNROLL
        for (int h = 0; h < kHeads; ++h)
            a[h] = wide(map[h * plane]);
        int pair = 0;
        HEADROOM_UNROLL
        for (int h = 0; h < kHeads; ++h) {
            S row = 0;
            HEADROOM_UNROLL
            for (int g = h; g < kHeads; ++g, ++pair)
                row += a[g] * gram.pairs[pair];
            square += a[h] * row;
        }
    } else {
        const S* pair = gram.first;
        for (std::int64_t h = 0; h < w.heads; ++h) {
            S row = 0;
            for (std::int64_t g = h; g < w.heads; ++g, pair += w.keys)
                row += wide(map[g * plane]) * *pair;
            square += wide(map[h * plane]) * row;
        }
    }
    return sqrt(square < 0 ? S(0) : square); // rounding may go below zero; NaN stays
}

/// kNormRows queries by kNormKeys keys, a key per thread: norms, and the part of each row's sum.
template <class T, class S, int kHeads>
__global__ void norms(LayerContributions<T, S> all) {
    const Contributions<T, S> w = layerOf(all);
    double* room = sharedRoom<double>(); // [kNormRows, kRowWarps]
    const int lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
    const std::int64_t j = static_cast<std::int64_t>(blockIdx.x) * kNormKeys + threadIdx.x;
    const std::int64_t first = static_cast<std::int64_t>(blockIdx.y) * kNormRows;
    const bool there = j < w.keys;
    const Gram<S, kHeads> gram = gramOf<T, S, kHeads>(w, there ? j : 0);
    for (int r = 0; r < kNormRows; ++r) {
        const std::int64_t i = first + r;
        double sum = 0;
        if (there && i < w.queries && (w.ownColumn || (j - i <= w.reach && i - j <= w.reach))) {
            const S value = norm<T, S, kHeads>(w, gram, i, j);
            normsOf(w)[i * columnsOf(w) + j] = value;
            if (w.ownColumn || i != j)
                sum = static_cast<double>(value);
        }
        sum = warpSum(sum);
        if (lane == 0)
            room[r * kRowWarps + warp] = sum;
    }
    __syncthreads();
    const std::int64_t i = first + threadIdx.x;
    if (threadIdx.x >= kNormRows || i >= w.queries)
        return;
    double sum = 0;
    for (int part = 0; part < kRowWarps; ++part)
        sum += room[threadIdx.x * kRowWarps + part];
    w.sums[i * gridDim.x + blockIdx.x] = sum;
}

/// One row per warp: the entry with the residual, and the row's sum.
template <class T, class S>
__global__ void rowSums(LayerContributions<T, S> all, std::int64_t parts) {
    const Contributions<T, S> w = layerOf(all);
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

    double sum = 0;
    for (std::int64_t part = lane; part < parts; part += kWarp)
        sum += w.sums[i * parts + part];
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
template <class T, class S>
__global__ void diagonals(LayerContributions<T, S> all) {
    const Contributions<T, S> w = layerOf(all);
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
    const std::int64_t columns = columnsOf(w), offset = start - first;
    const bool near = w.ownColumn || (offset <= w.reach && -offset <= w.reach);
    double sum = 0, largest = 0, query = 0;
    for (std::int64_t r = w.out || w.profile ? from : to; r < to; ++r) {
        const std::int64_t i = first + r, j = start + r;
        S entry = 0;
        if (!w.ownColumn && offset == 0)
            entry = static_cast<S>(w.own[i] * w.inverse[i]);
        else if (near)
            entry = static_cast<S>(static_cast<double>(normsOf(w)[i * columns + j]) * w.inverse[i]);
        if (w.out)
            w.out[i * columns + j] = entry;
        sum += static_cast<double>(entry);
        if (static_cast<double>(entry) > largest) {
            largest = static_cast<double>(entry);
            query = static_cast<double>(i);
        }
    }
    const std::int64_t plane = static_cast<std::int64_t>(gridDim.x) * lanes;
    double* part = w.parts + blockIdx.x * lanes + place;
    if (w.profile) {
        *part = sum;
        part += plane;
    }
    if (w.strongest) {
        part[0] = largest;
        part[plane] = query;
        part += 2 * plane;
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
__global__ void addParts(LayerContributions<T, S> all, std::int64_t tiles) {
    const Contributions<T, S> w = layerOf(all);
    const std::int64_t k = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
    if (k >= 2 * w.keys - 1)
        return;
    const std::int64_t lanes = w.keys + kProfileRows - 1;
    const std::int64_t plane = tiles * lanes;
    const bool isStrongest = w.strongest && blockIdx.y == 1;
    const double* parts = w.parts + (blockIdx.y + (w.strongest && blockIdx.y > 1 ? 1 : 0)) * plane;
    const std::int64_t head = static_cast<std::int64_t>(blockIdx.y) - (w.profile ? 1 : 0) - (w.strongest ? 1 : 0);
    double sum = 0, query = 0; // or the largest
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
        const std::int64_t place = k - (w.keys - 1) + tile * kProfileRows + kProfileRows - 1;
        if (place < 0 || place >= lanes)
            continue;
        const double part = parts[tile * lanes + place];
        if (!isStrongest) {
            sum += part;
        } else if (part > sum) {
            sum = part;
            query = parts[plane + tile * lanes + place];
        }
    }
    const std::int64_t diagonals = 2 * w.keys - 1;
    if (isStrongest) {
        w.strongest[k] = sum;
        w.strongest[diagonals + k] = query;
    } else if (head < 0) {
        w.profile[k] = sum;
    } else {
        w.headProfiles[head * diagonals + k] = sum;
    }
}

template <class T, class S, int kHeads>
void launchNorms(const LayerContributions<T, S>& all, void* stream) {
    const Contributions<T, S>& w = all.shared;
    launch(norms<T, S, kHeads>,
           dim3(blocksFor(w.keys, kNormKeys), blocksFor(w.queries, kNormRows), static_cast<unsigned>(all.layers)),
           dim3(kThreads), kNormRows * kRowWarps * sizeof(double), stream, all);
}

template <class T, class S>
void launchEntries(const LayerContributions<T, S>& all, void* stream) {
    const Contributions<T, S>& w = all.shared;
    const auto layers = static_cast<unsigned>(all.layers);
    const dim3 warps(kWarp, kRowWarps);
    launch(gramRows<T, S>, dim3(static_cast<unsigned>(w.keys), 1, layers), warps, 0, stream, all);
    switch (w.heads) {
    case 1:
        launchNorms<T, S, 1>(all, stream);
        break;
    case 4:
        launchNorms<T, S, 4>(all, stream);
        break;
    case 8:
        launchNorms<T, S, 8>(all, stream);
        break;
    default:
        launchNorms<T, S, 0>(all, stream);
    }
    launch(rowSums<T, S>, dim3(blocksFor(w.queries, kRowWarps), 1, layers), warps, 0, stream, all,
           static_cast<std::int64_t>(blocksFor(w.keys, kNormKeys)));
}

} // namespace

template <class T, class S>
void launchContributions(const LayerContributions<T, S>& work, void* stream) {
    LayerContributions<T, S> all = work;
    const Contributions<T, S>& w = all.shared;
    all.gramRoom = w.gramOf();
    all.partsRoom = w.partsOf();
    all.sumsRoom = w.sumsOf();
    if (w.keys == 0 || w.queries == 0 || all.layers == 0)
        return;
    if (w.out || w.profile)
        launchEntries(all, stream);
    if (!w.out && w.profiles() == 0)
        return;
    const auto layers = static_cast<unsigned>(all.layers);
    const std::int64_t tiles = blocksFor(w.queries, kProfileRows);
    const dim3 grid(static_cast<unsigned>(tiles), blocksFor(w.keys + kProfileRows - 1, kThreads), layers);
    launch(diagonals<T, S>, grid, dim3(kThreads), 0, stream, all);
    const std::int64_t rows = w.profiles() - (w.strongest ? 1 : 0); // the largest entries with their queries
    if (rows > 0)
        launch(addParts<T, S>, dim3(blocksFor(2 * w.keys - 1, kThreads), static_cast<unsigned>(rows), layers),
               dim3(kThreads), 0, stream, all, tiles);
}

template <class T, class S>
void launchContributions(const Contributions<T, S>& w, void* stream) {
    LayerContributions<T, S> one{};
    one.shared = w;
    one.layers = 1;
    one.attention[0] = w.attention;
    one.transformed[0] = w.transformed;
    one.residual[0] = w.residual;
    launchContributions(one, stream);
}

template void launchContributions(const LayerContributions<float, float>&, void*);
template void launchContributions(const LayerContributions<double, double>&, void*);
template void launchContributions(const LayerContributions<Bfloat16, float>&, void*);
template void launchContributions(const Contributions<float, float>&, void*);
template void launchContributions(const Contributions<double, double>&, void*);
template void launchContributions(const Contributions<Bfloat16, float>&, void*);

} // namespace headroom::models::device
