// SPDX-License-Identifier: GPL-3.0-or-later
// banded.h on the tensor cores of a GPU, for bfloat16. A block takes 64 rows of one head, 16 per warp, and walks over tiles of the
// rows near them, which lie in shared memory. A warp skips the steps of 16 that none of its rows sees, so that the work grows with
// the window. Scores, sums and softmax are float; the weights are rounded to bfloat16 where they meet values.
#include "models/kernels/banded_device.h"
#include "models/kernels/banded_tiles.h"

namespace headroom::models::device {
namespace tiles {

/// Online softmax: a later step with a larger score rescales what was summed.
template <int kWidth>
__global__ void attentionTiles(BandShape shape, BandRows<const Bfloat16> q, BandRows<const Bfloat16> k,
                               BandRows<const Bfloat16> v, int width, int valueWidth, float scale, float* weights,
                               BandRows<Bfloat16> out) {
    const BandPlace place = bandPlace(shape, kRows);
    const Window window(shape, place);
    const Lane lane;
    Bfloat16* keys = sharedRoom<Bfloat16>();
    Bfloat16* values = keys + kTile<kWidth> * kStride<kWidth>;
    float* band = weights ? headOf(weights, shape) : nullptr;

    load<kWidth>(q, place, static_cast<int>(place.first), kRows, window.tokens, width, keys);
    __syncthreads();
    std::uint32_t queries[kWidth / 16][4];
    leftFactors<kWidth>(keys, queries);

    float sums[kWidth / 8][4] = {};
    float largest[2] = {-INFINITY, -INFINITY}, share[2] = {0, 0};
    const int end = window.end(place, window.keys);
    for (int tile = window.begin(place); tile < end; tile += kTile<kWidth>) {
        __syncthreads(); // the queries, or the last tile, have been read
        load<kWidth>(k, place, tile, kTile<kWidth>, window.keys, width, keys);
        load<kWidth>(v, place, tile, kTile<kWidth>, window.keys, valueWidth, values);
        __syncthreads();
        for (int step = 0; step < kTile<kWidth>; step += kStep) {
            if (!window.sees(tile + step))
                continue; // the whole warp
            float scores[2][4];
            products<kWidth>(queries, keys + step * kStride<kWidth>, width, scores);
            HEADROOM_UNROLL
            for (int half = 0; half < 2; ++half) {
                const int i = window.first + 8 * half;
                float now = -INFINITY;
                HEADROOM_UNROLL
                for (int e = 0; e < 4; ++e) {
                    float& score = scores[e / 2][2 * half + e % 2];
                    const int slot = window.slot(i, tile + step + e / 2 * 8 + 2 * lane.member + e % 2);
                    score = slot >= 0 ? scale * score : -INFINITY;
                    if (slot >= 0 && band)
                        band[window.at(i, slot)] = score;
                    now = now != now || now > score ? now : score;
                }
                now = quadMax(now);
                now = now != now || now > largest[half] ? now : largest[half];
                const float factor = now == -INFINITY ? 1 : exp(largest[half] - now); // 0 where nothing was summed yet
                float sum = 0;
                HEADROOM_UNROLL
                for (int e = 0; e < 4; ++e) {
                    float& score = scores[e / 2][2 * half + e % 2];
                    score = now == -INFINITY ? 0 : exp(score - now);
                    sum += score;
                }
                share[half] = share[half] * factor + quadSum(sum);
                largest[half] = now;
                HEADROOM_UNROLL
                for (int n = 0; n < kWidth / 8; ++n) {
                    sums[n][2 * half] *= factor;
                    sums[n][2 * half + 1] *= factor;
                }
            }
            addRows<kWidth>(scores, values + step * kStride<kWidth>, valueWidth, sums);
        }
    }

    float inverse[2];
    HEADROOM_UNROLL
    for (int half = 0; half < 2; ++half) {
        inverse[half] = share[half] == 0 ? 0 : 1 / share[half];
        HEADROOM_UNROLL
        for (int n = 0; n < kWidth / 8; ++n) {
            sums[n][2 * half] *= inverse[half];
            sums[n][2 * half + 1] *= inverse[half];
        }
    }
    if (band) {
        __syncwarp(); // other lanes wrote the scores
        for (int row = 0; row < kStep; ++row) {
            const int from = row % 8 * 4, i = window.first - lane.group + row;
            const float most = __shfl_sync(kAllLanes, row < 8 ? largest[0] : largest[1], from),
                        part = __shfl_sync(kAllLanes, row < 8 ? inverse[0] : inverse[1], from);
            for (int slot = threadIdx.x; slot <= 2 * window.reach && i < window.tokens; slot += kWarp) {
                float& weight = band[window.at(i, slot)];
                weight = window.slot(i, i - window.reach + slot) >= 0 ? exp(weight - most) * part : 0;
            }
        }
    }
    __syncthreads(); // the last tile has been read
    storeRows<kWidth>(sums, place, window.tokens, valueWidth, keys, out);
}

/// band = scale w (∂w − Σ w ∂w) with ∂w_is = gradOut_i · v_j, and gradQ_i = Σ_s band_is k_j.
template <int kWidth>
__global__ void scoreGradients(BandShape shape, BandRows<const Bfloat16> k, BandRows<const Bfloat16> v,
                               BandRows<const Bfloat16> gradOut, int width, int valueWidth, float scale,
                               const float* weights, float* band, BandRows<Bfloat16> gradQ) {
    const BandPlace place = bandPlace(shape, kRows);
    const Window window(shape, place);
    const Lane lane;
    Bfloat16* room = sharedRoom<Bfloat16>();
    weights = headOf(weights, shape);
    band = headOf(band, shape);

    load<kWidth>(gradOut, place, static_cast<int>(place.first), kRows, window.tokens, valueWidth, room);
    __syncthreads();
    std::uint32_t grads[kWidth / 16][4];
    leftFactors<kWidth>(room, grads);

    float shared[2] = {0, 0};
    const int begin = window.begin(place), end = window.end(place, window.keys);
    for (int tile = begin; tile < end; tile += kTile<kWidth>) {
        __syncthreads(); // gradOut, or the last tile, has been read
        load<kWidth>(v, place, tile, kTile<kWidth>, window.keys, valueWidth, room);
        __syncthreads();
        for (int step = 0; step < kTile<kWidth>; step += kStep) {
            if (!window.sees(tile + step))
                continue; // the whole warp
            float found[2][4];
            products<kWidth>(grads, room + step * kStride<kWidth>, valueWidth, found);
            HEADROOM_UNROLL
            for (int e = 0; e < 8; ++e) {
                const int half = e / 2 % 2, i = window.first + 8 * half;
                const int slot = window.slot(i, tile + step + e / 4 * 8 + 2 * lane.member + e % 2);
                if (slot < 0)
                    continue;
                band[window.at(i, slot)] = found[e / 4][e % 4];
                shared[half] += weights[window.at(i, slot)] * found[e / 4][e % 4];
            }
        }
    }
    shared[0] = quadSum(shared[0]);
    shared[1] = quadSum(shared[1]);

    float sums[kWidth / 8][4] = {};
    for (int tile = begin; tile < end; tile += kTile<kWidth>) {
        __syncthreads(); // the last tile has been read
        load<kWidth>(k, place, tile, kTile<kWidth>, window.keys, width, room);
        __syncthreads();
        for (int step = 0; step < kTile<kWidth>; step += kStep) {
            if (!window.sees(tile + step))
                continue; // the whole warp
            float found[2][4];
            HEADROOM_UNROLL
            for (int e = 0; e < 8; ++e) { // each lane reads what it wrote
                const int half = e / 2 % 2, i = window.first + 8 * half;
                const int slot = window.slot(i, tile + step + e / 4 * 8 + 2 * lane.member + e % 2);
                found[e / 4][e % 4] = 0;
                if (slot < 0)
                    continue;
                float& grad = band[window.at(i, slot)];
                grad = scale * weights[window.at(i, slot)] * (grad - shared[half]);
                found[e / 4][e % 4] = grad;
            }
            addRows<kWidth>(found, room + step * kStride<kWidth>, width, sums);
        }
    }
    __syncthreads(); // the last tile has been read
    storeRows<kWidth>(sums, place, window.tokens, width, room, gradQ);
}

/// A chunk of kWidth channels, grid.z counts them.
template <int kWidth>
__global__ void timesTiles(BandShape shape, const float* band, BandRows<const Bfloat16> rows, std::int64_t allWidth,
                           bool transposed, BandRows<Bfloat16> out) {
    const BandPlace place = bandPlace(shape, kRows);
    const Window window(shape, place);
    const Lane lane;
    Bfloat16* room = sharedRoom<Bfloat16>();
    band = headOf(band, shape);
    const std::int64_t from = static_cast<std::int64_t>(blockIdx.z) * kWidth;
    const int width = static_cast<int>(allWidth - from < kWidth ? allWidth - from : kWidth);
    rows.data += from;
    out.data += from;

    float sums[kWidth / 8][4] = {};
    const int inputs = transposed ? window.tokens : window.keys, end = window.end(place, inputs);
    for (int tile = window.begin(place); tile < end; tile += kTile<kWidth>) {
        __syncthreads(); // the last tile has been read
        load<kWidth>(rows, place, tile, kTile<kWidth>, inputs, width, room);
        __syncthreads();
        for (int step = 0; step < kTile<kWidth>; step += kStep) {
            if (!window.sees(tile + step))
                continue; // the whole warp
            float weights[2][4];
            HEADROOM_UNROLL
            for (int e = 0; e < 8; ++e) {
                const int here = window.first + e / 2 % 2 * 8, there = tile + step + e / 4 * 8 + 2 * lane.member + e % 2;
                const int i = transposed ? there : here, slot = window.slot(i, transposed ? here : there);
                weights[e / 4][e % 4] = slot >= 0 ? band[window.at(i, slot)] : 0;
            }
            addRows<kWidth>(weights, room + step * kStride<kWidth>, width, sums);
        }
    }
    __syncthreads(); // the last tile has been read
    storeRows<kWidth>(sums, place, window.tokens, width, room, out);
}

} // namespace tiles

template <>
void launchBandAttention<Bfloat16, float>(const BandShape& shape, BandRows<const Bfloat16> q, BandRows<const Bfloat16> k,
                                          BandRows<const Bfloat16> v, std::int64_t width, std::int64_t valueWidth, float scale,
                                          float* weights, BandRows<Bfloat16> out, void* stream) {
    if (isEmpty(shape) || valueWidth == 0)
        return;
    const auto start = [&](auto kernel, std::size_t bytes) {
        launch(kernel, bandGrid(shape, tiles::kRows), dim3(kWarp, tiles::kWarps), 2 * bytes, stream, shape, q, k, v,
               static_cast<int>(width), static_cast<int>(valueWidth), scale, weights, out);
    };
    if (width <= 64 && valueWidth <= 64)
        start(tiles::attentionTiles<64>, tiles::kTileBytes<64>);
    else
        start(tiles::attentionTiles<128>, tiles::kTileBytes<128>);
}

template <>
void launchBandTimesRows<Bfloat16, float>(const BandShape& shape, const float* band, BandRows<const Bfloat16> rows,
                                          std::int64_t width, bool transposed, BandRows<Bfloat16> out, void* stream) {
    if (isEmpty(shape) || width == 0)
        return;
    const auto start = [&](auto kernel, std::size_t bytes, std::int64_t chunk) {
        launch(kernel, bandGrid(shape, tiles::kRows, blocksFor(width, chunk)), dim3(kWarp, tiles::kWarps), bytes, stream, shape,
               band, rows, width, transposed, out);
    };
    if (width <= 64)
        start(tiles::timesTiles<64>, tiles::kTileBytes<64>, 64);
    else
        start(tiles::timesTiles<128>, tiles::kTileBytes<128>, 128);
}

void launchBandScoreGradients(const BandShape& shape, BandRows<const Bfloat16> k, BandRows<const Bfloat16> v,
                              BandRows<const Bfloat16> gradOut, std::int64_t width, std::int64_t valueWidth, float scale,
                              const float* weights, float* band, BandRows<Bfloat16> gradQ, void* stream) {
    if (isEmpty(shape) || width == 0)
        return;
    const auto start = [&](auto kernel, std::size_t bytes) {
        launch(kernel, bandGrid(shape, tiles::kRows), dim3(kWarp, tiles::kWarps), bytes, stream, shape, k, v, gradOut,
               static_cast<int>(width), static_cast<int>(valueWidth), scale, weights, band, gradQ);
    };
    if (width <= 64 && valueWidth <= 64)
        start(tiles::scoreGradients<64>, tiles::kTileBytes<64>);
    else
        start(tiles::scoreGradients<128>, tiles::kTileBytes<128>);
}

} // namespace headroom::models::device
