// SPDX-License-Identifier: GPL-3.0-or-later
// banded.h on a GPU, for float and double; most of it for bfloat16 is in banded_tiles_cuda.cu. A block takes 16 queries of one head, 4 per warp, and walks over tiles of 32 keys, one
// key per lane. Rows come through shared memory in chunks of 64 channels, so that any width fits; a row there
// is one number longer, which keeps the lanes in different banks.
#include "models/kernels/banded_device.h"
#include "models/kernels/banded_place.h"
#include "models/kernels/device_code.h"

namespace headroom::models::device {
namespace {

constexpr int kWarps = 4, kOfWarp = 4, kQueries = kWarps * kOfWarp, kKeys = kWarp, kChunk = 64,
              kStride = kChunk + 1;
constexpr int kLaneChannels = kChunk / kWarp; ///< channels of a chunk that one lane sums

/// Copies channels [from, from + kChunk) of rows [first, first + count) to `to`; zeros where there is no row
/// or channel.
template <class T, class S>
__device__ void load(BandRows<const T> rows, const BandPlace& place, std::int64_t first, int count,
                     std::int64_t limit, std::int64_t from, std::int64_t width, S* to) {
    const T* data = headOf(rows, place);
    for (int n = threadIdx.y * kWarp + threadIdx.x; n < count * kChunk; n += kWarps * kWarp) {
        const std::int64_t row = first + n / kChunk, channel = from + n % kChunk;
        to[n / kChunk * kStride + n % kChunk] =
            row >= 0 && row < limit && channel < width ? S(wide(data[row * rows.token + channel])) : S(0);
    }
}

/// sums[r] = a_{query r of this warp} · b_{first + lane}; every thread of the block calls it. `room` holds
/// kQueries + kKeys rows.
template <class T, class S>
__device__ void productsOfTile(const BandShape& shape, const BandPlace& place, BandRows<const T> a,
                               BandRows<const T> b, std::int64_t firstKey, std::int64_t width, S* room,
                               S* sums) {
    S *queries = room, *keys = room + kQueries * kStride;
    HEADROOM_UNROLL
    for (int r = 0; r < kOfWarp; ++r)
        sums[r] = 0;
    for (std::int64_t from = 0; from < width; from += kChunk) {
        __syncthreads(); // the last chunk has been read
        load(a, place, place.first, kQueries, shape.tokens, from, width, queries);
        load(b, place, firstKey, kKeys, place.keys, from, width, keys);
        __syncthreads();
        const int channels = static_cast<int>(width - from < kChunk ? width - from : kChunk);
        const S* key = keys + threadIdx.x * kStride;
        const S* query = queries + threadIdx.y * kOfWarp * kStride;
        for (int d = 0; d < channels; ++d) {
            const S value = key[d];
            HEADROOM_UNROLL
            for (int r = 0; r < kOfWarp; ++r)
                sums[r] += query[r * kStride + d] * value;
        }
    }
}

template <class T, class S>
__global__ void products(BandShape shape, BandRows<const T> a, BandRows<const T> b, std::int64_t width,
                         S empty, S* band) {
    S* room = sharedRoom<S>();
    const BandPlace place = bandPlace(shape, kQueries);
    S* rows = headOf(band, shape);
    for (std::int64_t first = place.first - shape.reach; first < place.first + kQueries + shape.reach;
         first += kKeys) {
        S sums[kOfWarp];
        productsOfTile(shape, place, a, b, first, width, room, sums);
        const std::int64_t j = first + threadIdx.x;
        HEADROOM_UNROLL
        for (int r = 0; r < kOfWarp; ++r) {
            const std::int64_t i = place.first + threadIdx.y * kOfWarp + r, slot = j - i + shape.reach;
            if (i < shape.tokens && slot >= 0 && slot < slotsOf(shape))
                rows[i * slotsOf(shape) + slot] = j >= 0 && j < place.keys ? sums[r] : empty;
        }
    }
}

/// Adds weight · row over a tile of 32 input rows in shared memory: lane n holds the weights of row n.
template <class S>
__device__ void addRows(const S* weights, const S* rows, S (*sums)[kLaneChannels]) {
    for (int n = 0; n < kKeys; ++n) {
        S row[kLaneChannels];
        HEADROOM_UNROLL
        for (int c = 0; c < kLaneChannels; ++c)
            row[c] = rows[n * kStride + c * kWarp + threadIdx.x];
        HEADROOM_UNROLL
        for (int r = 0; r < kOfWarp; ++r) {
            const S weight = __shfl_sync(kAllLanes, weights[r], n);
            if (weight == 0) // outside the window a row is not used, were it infinite
                continue;
            HEADROOM_UNROLL
            for (int c = 0; c < kLaneChannels; ++c)
                sums[r][c] += weight * row[c];
        }
    }
}

/// Stores a chunk of the rows of this warp.
template <class T, class S>
__device__ void storeRows(const BandShape& shape, const BandPlace& place, const S (*sums)[kLaneChannels],
                          std::int64_t from, std::int64_t width, BandRows<T> out) {
    T* data = headOf(out, place);
    HEADROOM_UNROLL
    for (int r = 0; r < kOfWarp; ++r) {
        const std::int64_t i = place.first + threadIdx.y * kOfWarp + r;
        HEADROOM_UNROLL
        for (int c = 0; c < kLaneChannels; ++c) {
            const std::int64_t channel = from + c * kWarp + threadIdx.x;
            if (i < shape.tokens && channel < width)
                store(data[i * out.token + channel], sums[r][c]);
        }
    }
}

template <class T, class S>
__global__ void timesRows(BandShape shape, const S* band, BandRows<const T> rows, std::int64_t width,
                          bool transposed, BandRows<T> out) {
    S* room = sharedRoom<S>(); // kKeys rows
    const BandPlace place = bandPlace(shape, kQueries);
    const std::int64_t from = static_cast<std::int64_t>(blockIdx.z) * kChunk, slots = slotsOf(shape);
    const std::int64_t inputs = transposed ? shape.tokens : place.keys,
                       outputs = transposed ? place.keys : shape.tokens;
    const S* weightsOf = headOf(band, shape);
    S sums[kOfWarp][kLaneChannels] = {};
    std::int64_t first = place.first - shape.reach, last = place.first + kQueries + shape.reach;
    first = first < 0 ? 0 : first;
    last = last < inputs ? last : inputs;
    for (; first < last; first += kKeys) {
        __syncthreads();
        load(rows, place, first, kKeys, inputs, from, width, room);
        __syncthreads();
        const std::int64_t j = first + threadIdx.x;
        S weights[kOfWarp];
        HEADROOM_UNROLL
        for (int r = 0; r < kOfWarp; ++r) {
            const std::int64_t i = place.first + threadIdx.y * kOfWarp + r;
            const std::int64_t row = transposed ? j : i, slot = (transposed ? i - j : j - i) + shape.reach;
            weights[r] =
                i < outputs && j < inputs && slot >= 0 && slot < slots ? weightsOf[row * slots + slot] : S(0);
        }
        addRows(weights, room, sums);
    }
    storeRows(shape, place, sums, from, width, out);
}

/// One row per warp.
template <class S>
__global__ void softmaxRows(S* band, std::int64_t rows, std::int64_t slots, S scale) {
    const std::int64_t number = static_cast<std::int64_t>(blockIdx.x) * kWarps + threadIdx.y;
    if (number >= rows)
        return; // the whole warp
    S* row = band + number * slots;
    S largest = -INFINITY, sum = 0;
    for (std::int64_t s = threadIdx.x; s < slots; s += kWarp) {
        const S value = scale * row[s];
        largest = value != value || value > largest ? value : largest;
    }
    largest = warpMax(largest);
    const bool keyless = largest == -INFINITY;
    for (std::int64_t s = threadIdx.x; s < slots; s += kWarp) {
        const S value = keyless ? S(0) : exp(scale * row[s] - largest);
        row[s] = value;
        sum += value;
    }
    sum = warpSum(sum);
    for (std::int64_t s = threadIdx.x; s < slots; s += kWarp)
        row[s] = keyless ? S(0) : row[s] / sum;
}

template <class S>
__global__ void softmaxRowsBackward(const S* weights, S* grad, std::int64_t rows, std::int64_t slots,
                                    S scale) {
    const std::int64_t number = static_cast<std::int64_t>(blockIdx.x) * kWarps + threadIdx.y;
    if (number >= rows)
        return; // the whole warp
    const S* w = weights + number * slots;
    S* g = grad + number * slots;
    S shared = 0;
    for (std::int64_t s = threadIdx.x; s < slots; s += kWarp)
        shared += w[s] * g[s];
    shared = warpSum(shared);
    for (std::int64_t s = threadIdx.x; s < slots; s += kWarp)
        g[s] = scale * w[s] * (g[s] - shared);
}

/// Online softmax: a later tile with a larger score rescales what was summed. kChunks of kChunk channels of
/// the values.
template <class T, class S, int kChunks>
__global__ void attention(BandShape shape, BandRows<const T> q, BandRows<const T> k, BandRows<const T> v,
                          std::int64_t width, std::int64_t valueWidth, S scale, S* band, BandRows<T> out) {
    S* room = sharedRoom<S>(); // kQueries + kKeys rows
    S* values = room + kQueries * kStride;
    const BandPlace place = bandPlace(shape, kQueries);
    const std::int64_t slots = slotsOf(shape);
    S* rows = band ? headOf(band, shape) : nullptr;
    S sums[kChunks][kOfWarp][kLaneChannels] = {};
    S largest[kOfWarp], share[kOfWarp];
    HEADROOM_UNROLL
    for (int r = 0; r < kOfWarp; ++r) {
        largest[r] = -INFINITY;
        share[r] = 0;
    }
    std::int64_t first = place.first - shape.reach, last = place.first + kQueries + shape.reach;
    first = first < 0 ? 0 : first;
    last = last < place.keys ? last : place.keys;
    for (; first < last; first += kKeys) {
        S weights[kOfWarp];
        productsOfTile(shape, place, q, k, first, width, room, weights);
        const std::int64_t j = first + threadIdx.x;
        HEADROOM_UNROLL
        for (int r = 0; r < kOfWarp; ++r) {
            const std::int64_t i = place.first + threadIdx.y * kOfWarp + r, slot = j - i + shape.reach;
            const bool seen = i < shape.tokens && j < place.keys && slot >= 0 && slot < slots;
            const S score = seen ? scale * weights[r] : -INFINITY;
            if (seen && rows)
                rows[i * slots + slot] = score;
            S now = warpMax(score);
            now = now != now || now > largest[r] ? now : largest[r];
            const S factor =
                now == -INFINITY ? S(1) : exp(largest[r] - now); // 0 where nothing was summed yet
            weights[r] = now == -INFINITY ? S(0) : exp(score - now);
            share[r] = share[r] * factor + warpSum(weights[r]);
            largest[r] = now;
            HEADROOM_UNROLL
            for (int chunk = 0; chunk < kChunks; ++chunk)
                HEADROOM_UNROLL
            for (int c = 0; c < kLaneChannels; ++c)
                sums[chunk][r][c] *= factor;
        }
        HEADROOM_UNROLL
        for (int chunk = 0; chunk < kChunks; ++chunk) {
            __syncthreads();
            load(v, place, first, kKeys, place.keys, chunk * kChunk, valueWidth, values);
            __syncthreads();
            addRows(weights, values, sums[chunk]);
        }
    }
    HEADROOM_UNROLL
    for (int r = 0; r < kOfWarp; ++r) {
        const S inverse = share[r] == 0 ? S(0) : 1 / share[r];
        HEADROOM_UNROLL
        for (int chunk = 0; chunk < kChunks; ++chunk)
            HEADROOM_UNROLL
        for (int c = 0; c < kLaneChannels; ++c)
            sums[chunk][r][c] *= inverse;
        const std::int64_t i = place.first + threadIdx.y * kOfWarp + r;
        __syncwarp(); // other lanes wrote the scores
        if (rows && i < shape.tokens)
            for (std::int64_t s = threadIdx.x; s < slots; s += kWarp) {
                const std::int64_t j = i - shape.reach + s;
                S& weight = rows[i * slots + s];
                weight = j >= 0 && j < place.keys ? exp(weight - largest[r]) * inverse : S(0);
            }
    }
    HEADROOM_UNROLL
    for (int chunk = 0; chunk < kChunks; ++chunk)
        storeRows(shape, place, sums[chunk], chunk * kChunk, valueWidth, out);
}

template <class S>
constexpr std::size_t kTileBytes = kKeys* kStride * sizeof(S);
template <class S>
constexpr std::size_t kBothBytes = (kQueries + kKeys) * kStride * sizeof(S);

} // namespace

template <class T, class S>
void launchBandProducts(const BandShape& shape, BandRows<const T> a, BandRows<const T> b, std::int64_t width,
                        S empty, S* band, void* stream) {
    if (!isEmpty(shape))
        launch(products<T, S>, bandGrid(shape, kQueries), dim3(kWarp, kWarps), kBothBytes<S>, stream, shape, a, b, width,
               empty, band);
}

template <class T, class S>
void launchBandTimesRows(const BandShape& shape, const S* band, BandRows<const T> rows, std::int64_t width,
                         bool transposed, BandRows<T> out, void* stream) {
    if (!isEmpty(shape) && width > 0)
        launch(timesRows<T, S>, bandGrid(shape, kQueries, blocksFor(width, kChunk)), dim3(kWarp, kWarps), kTileBytes<S>,
               stream, shape, band, rows, width, transposed, out);
}

template <class S>
void launchBandSoftmax(S* band, std::int64_t rows, std::int64_t slots, S scale, void* stream) {
    if (rows > 0)
        launch(softmaxRows<S>, dim3(blocksFor(rows, kWarps)), dim3(kWarp, kWarps), 0, stream, band, rows,
               slots, scale);
}

template <class S>
void launchBandSoftmaxBackward(const S* weights, S* grad, std::int64_t rows, std::int64_t slots, S scale,
                               void* stream) {
    if (rows > 0)
        launch(softmaxRowsBackward<S>, dim3(blocksFor(rows, kWarps)), dim3(kWarp, kWarps), 0, stream, weights,
               grad, rows, slots, scale);
}

template <class T, class S>
void launchBandAttention(const BandShape& shape, BandRows<const T> q, BandRows<const T> k,
                         BandRows<const T> v, std::int64_t width, std::int64_t valueWidth, S scale,
                         S* weights, BandRows<T> out, void* stream) {
    if (isEmpty(shape) || valueWidth == 0)
        return;
    const auto start = [&](auto kernel) {
        launch(kernel, bandGrid(shape, kQueries), dim3(kWarp, kWarps), kBothBytes<S>, stream, shape, q, k, v, width,
               valueWidth, scale, weights, out);
    };
    if (valueWidth <= kChunk)
        start(attention<T, S, 1>);
    else
        start(attention<T, S, 2>); // up to kWidestValues
}

#define HEADROOM_BANDED(T)                                                                                   \
    template void launchBandTimesRows(const BandShape&, const T*, BandRows<const T>, std::int64_t, bool,     \
                                      BandRows<T>, void*);                                                   \
    template void launchBandAttention(const BandShape&, BandRows<const T>, BandRows<const T>,                \
                                      BandRows<const T>, std::int64_t, std::int64_t, T, T*, BandRows<T>,     \
                                      void*);                                                                \
    template void launchBandProducts(const BandShape&, BandRows<const T>, BandRows<const T>, std::int64_t,   \
                                     T, T*, void*);
HEADROOM_BANDED(float)
HEADROOM_BANDED(double)
template void launchBandProducts(const BandShape&, BandRows<const Bfloat16>, BandRows<const Bfloat16>, std::int64_t, float, float*,
                                 void*);
template void launchBandSoftmax(float*, std::int64_t, std::int64_t, float, void*);
template void launchBandSoftmax(double*, std::int64_t, std::int64_t, double, void*);
template void launchBandSoftmaxBackward(const float*, float*, std::int64_t, std::int64_t, float, void*);
template void launchBandSoftmaxBackward(const double*, double*, std::int64_t, std::int64_t, double, void*);

} // namespace headroom::models::device
