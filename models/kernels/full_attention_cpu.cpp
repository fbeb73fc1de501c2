// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled with -O3 -fopenmp -fno-math-errno (models/CMakeLists.txt).
#include "models/kernels/full_attention.h"

#include "models/kernels/banded_vectors.h"
#include "models/kernels/packed_tile.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace headroom::models {
namespace {

using packed::inTiles;
using packed::kSide;
using packed::kTileRows;
using packed::Pair;
using Eight = Pair::Half;

constexpr std::int64_t kEight = kSide / 2, kFewQueries = 8;
constexpr std::int64_t kQueries = 48,
                       kKeys = 512; ///< of a block: 96 kB of scores, which stay in the second cache
constexpr float kNoScore = -std::numeric_limits<float>::infinity();

/// The queries of a piece and what they read, of one head.
struct FullHead {
    const float* queries;
    std::int64_t queryStride, rows;
    const float* keys;   // panels of kSide keys, [panel, headWidth, kSide]; 0 behind the last key
    const float* values; // panels of kSide numbers, [panel, key, kSide]
    std::int64_t count, headWidth, valueWidth;
    float* out;
    std::int64_t outStride;
    float* map; // [row, key]; null: not wanted
};

/// What a piece is computed in.
struct FullScratch {
    std::vector<float> queries, scores, mixed;
    float largest[kQueries], sums[kQueries], shrink[kQueries];
    float lanes[kQueries * kEight]; ///< the largest scores of the block, one for each lane
};

HEADROOM_INLINE Eight eightFrom(const float* from) {
    Eight values;
    banded::load(values, from);
    return values;
}

/// 2ˣ for x up to 0, within 2e-7 of it; below −126 exactly 0. NaN stays NaN.
HEADROOM_INLINE Eight powerOfTwo(const Eight& x) {
    typedef std::int32_t Bits __attribute__((vector_size(sizeof(Eight))));
    constexpr float kLeast = -126,
                    kRound = 12582912.0F; // 1.5 · 2²³ leaves the nearest integer in the last bits
    const Bits vanishes = x < kLeast;
    const Eight bounded = vanishes ? Eight{} : x;
    const Eight shifted = bounded + kRound;
    const Eight r = bounded - (shifted - kRound);
    Eight p = r * 0.0013264727F + 0.009671513F; // least relative error on −½ … ½ among those with p(0) = 1
    p = p * r + 0.055507336F;
    p = p * r + 0.24022242F;
    p = p * r + 0.693147F;
    p = p * r + 1.0F;
    Bits whole, bits;
    std::memcpy(&whole, &shifted, sizeof whole);
    std::memcpy(&bits, &p, sizeof bits);
    bits += whole << 23;
    std::memcpy(&p, &bits, sizeof p);
    return vanishes ? Eight{} : p;
}

/// Scores of kRows queries and a panel of keys, `side` of which there are; raises the largest of each lane.
template <int kRows>
HEADROOM_INLINE void scoreTile(const float* queries, std::int64_t headWidth, const float* panel,
                               float* scores, std::int64_t stride, std::int64_t side, float* lanes) {
    Eight low[kRows], high[kRows];
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r)
        low[r] = high[r] = Eight{};
    for (std::int64_t d = 0; d < headWidth; ++d, panel += kSide) {
        const Eight a = eightFrom(panel), b = eightFrom(panel + kEight);
#pragma GCC unroll 8
        for (int r = 0; r < kRows; ++r) {
            const float each = queries[r * headWidth + d];
            low[r] += each * a;
            high[r] += each * b;
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
        packed::storePair({low[r], high[r]}, scores + r * stride, side);
        if (side < kSide)
            continue; // the caller's
        Eight most = eightFrom(lanes + r * kEight);
        most = low[r] > most ? low[r] : most;
        most = high[r] > most ? high[r] : most;
        banded::store(most, lanes + r * kEight);
    }
}

/// mixed = shrink · mixed + weights · a panel of values; shrink null: the first block.
template <int kRows>
HEADROOM_INLINE void mixTile(const float* weights, std::int64_t stride, const float* panel,
                             std::int64_t count, const float* shrink, float* mixed,
                             std::int64_t mixedStride) {
    Eight low[kRows], high[kRows];
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
        low[r] = high[r] = Eight{};
        if (shrink) {
            low[r] = eightFrom(mixed + r * mixedStride) * shrink[r];
            high[r] = eightFrom(mixed + r * mixedStride + kEight) * shrink[r];
        }
    }
    for (std::int64_t j = 0; j < count; ++j, panel += kSide) {
        const Eight a = eightFrom(panel), b = eightFrom(panel + kEight);
#pragma GCC unroll 8
        for (int r = 0; r < kRows; ++r) {
            const float each = weights[r * stride + j];
            low[r] += each * a;
            high[r] += each * b;
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
        banded::store(low[r], mixed + r * mixedStride);
        banded::store(high[r], mixed + r * mixedStride + kEight);
    }
}

/// 2^(score − top) in place; returns the sum.
HEADROOM_INLINE float raiseRow(float* scores, std::int64_t count, float top) {
    Eight sum{}, more{};
    std::int64_t j = 0;
    for (; j + kSide <= count; j += kSide) {
        const Eight a = powerOfTwo(eightFrom(scores + j) - top),
                    b = powerOfTwo(eightFrom(scores + j + kEight) - top);
        banded::store(a, scores + j);
        banded::store(b, scores + j + kEight);
        sum += a;
        more += b;
    }
    if (j < count) {
        float last[kSide];
        std::fill_n(last, kSide, kNoScore);
        std::copy_n(scores + j, count - j, last);
        const Eight a = powerOfTwo(eightFrom(last) - top), b = powerOfTwo(eightFrom(last + kEight) - top);
        banded::store(a, last);
        banded::store(b, last + kEight);
        std::copy_n(last, count - j, scores + j);
        sum += a;
        more += b;
    }
    sum += more;
    float total = 0;
    for (std::int64_t lane = 0; lane < kEight; ++lane)
        total += sum[lane];
    return total;
}

HEADROOM_VECTOR_CLONES void attendPiece(const FullHead& h, FullScratch& s) {
    constexpr float kLog2e = 1.44269504088896341F;
    const std::int64_t width = h.headWidth, blocks = (h.count + kKeys - 1) / kKeys;
    for (std::int64_t r = 0; r < h.rows; ++r)
        for (std::int64_t d = 0; d < width; ++d)
            s.queries[static_cast<std::size_t>(r * width + d)] = h.queries[r * h.queryStride + d] * kLog2e;
    std::fill_n(s.largest, h.rows, kNoScore);
    std::fill_n(s.sums, h.rows, 0.0F);
    std::vector<float> tops(h.map ? static_cast<std::size_t>(blocks * h.rows) : 0); // of each block and row
    for (std::int64_t block = 0; block < blocks; ++block) {
        const std::int64_t begin = block * kKeys, count = std::min(kKeys, h.count - begin);
        float* scores = h.map ? h.map + begin : s.scores.data();
        const std::int64_t stride = h.map ? h.count : kKeys;
        std::fill_n(s.lanes, h.rows * kEight, kNoScore);
        for (std::int64_t j = 0; j < count; j += kSide)
            inTiles(
                h.rows, [&](std::int64_t row, auto rows) __attribute__((always_inline)) {
                    scoreTile<rows()>(s.queries.data() + row * width, width, h.keys + (begin + j) * width,
                                      scores + row * stride + j, stride, std::min(kSide, count - j),
                                      s.lanes + row * kEight);
                });
        for (std::int64_t r = 0; r < h.rows; ++r) {
            float* row = scores + r * stride;
            float top = s.largest[r];
            for (std::int64_t lane = 0; lane < kEight; ++lane)
                top = s.lanes[r * kEight + lane] > top ? s.lanes[r * kEight + lane] : top;
            for (std::int64_t j = count / kSide * kSide; j < count; ++j)
                top = row[j] > top ? row[j] : top;
            s.shrink[r] = block == 0 ? 0.0F : std::exp2(s.largest[r] - top);
            s.largest[r] = top;
            s.sums[r] = s.sums[r] * s.shrink[r] + raiseRow(row, count, top);
            if (h.map)
                tops[static_cast<std::size_t>(block * h.rows + r)] = top;
        }
        for (std::int64_t d = 0; d < h.valueWidth; d += kSide)
            inTiles(
                h.rows, [&](std::int64_t row, auto rows) __attribute__((always_inline)) {
                    mixTile<rows()>(scores + row * stride, stride, h.values + d * h.count + begin * kSide,
                                    count, block == 0 ? nullptr : s.shrink + row,
                                    s.mixed.data() + row * h.valueWidth + d, h.valueWidth);
                });
    }
    for (std::int64_t r = 0; r < h.rows; ++r) {
        const float scale = 1 / s.sums[r];
        const float* mixed = s.mixed.data() + r * h.valueWidth;
        for (std::int64_t d = 0; d < h.valueWidth; ++d)
            h.out[r * h.outStride + d] = mixed[d] * scale;
        for (std::int64_t block = 0; h.map && block < blocks; ++block) {
            const float own =
                scale * std::exp2(tops[static_cast<std::size_t>(block * h.rows + r)] - s.largest[r]);
            float* row = h.map + r * h.count;
            const std::int64_t end = std::min(h.count, (block + 1) * kKeys);
#pragma GCC ivdep
            for (std::int64_t j = block * kKeys; j < end; ++j)
                row[j] *= own;
        }
    }
}

/// Lays out a head's keys and values in panels.
HEADROOM_VECTOR_CLONES void packTokens(const float* keys, std::int64_t keyStride, const float* values,
                                       std::int64_t valueStride, std::int64_t count, std::int64_t headWidth,
                                       std::int64_t valueWidth, float* keyPanels, float* valuePanels) {
    constexpr std::int64_t kSquare = 4;
    for (std::int64_t first = 0; first < count; first += kSide) {
        const std::int64_t side = std::min(kSide, count - first);
        float* panel = keyPanels + first * headWidth;
        if (side < kSide)
            std::fill_n(panel, kSide * headWidth, 0.0F);
        std::int64_t j = 0;
        if (headWidth % kSquare == 0)
            for (; j + kSquare <= side; j += kSquare)
                for (std::int64_t d = 0; d < headWidth; d += kSquare)
                    banded::transpose4(keys + (first + j) * keyStride + d, keyStride, panel + d * kSide + j,
                                       kSide);
        for (; j < side; ++j)
            for (std::int64_t d = 0; d < headWidth; ++d)
                panel[d * kSide + j] = keys[(first + j) * keyStride + d];
    }
    for (std::int64_t j = 0; j < count; ++j)
        for (std::int64_t d = 0; d < valueWidth; d += kSide)
            std::memcpy(valuePanels + d * count + j * kSide, values + j * valueStride + d,
                        kSide * sizeof(float));
}

/// Of the pieces below: registers of 32 bytes.
bool hasFittingVectors() {
#if defined(__x86_64__) && defined(__GNUC__)
    static const bool fitting = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return fitting;
#else
    return false;
#endif
}

} // namespace

bool attendsHere(const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& values) {
    const auto isPlain = [](const at::Tensor& x) {
        return x.is_cpu() && x.scalar_type() == at::kFloat && x.dim() == 4 && x.stride(3) == 1;
    };
    return c10::InferenceMode::is_enabled() && hasFittingVectors() && isPlain(queries) && isPlain(keys) &&
           isPlain(values) && queries.size(2) > kFewQueries && keys.size(2) > 0 &&
           values.size(3) % kSide == 0;
}

at::Tensor fullAttention(const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& values,
                         const at::Tensor& map) {
    const std::int64_t batch = queries.size(0), heads = queries.size(1), rows = queries.size(2),
                       count = keys.size(2);
    const std::int64_t headWidth = queries.size(3), valueWidth = values.size(3);
    if (keys.size(0) != batch || values.size(0) != batch || keys.size(1) != heads ||
        values.size(1) != heads || keys.size(3) != headWidth || values.size(2) != count ||
        (map.defined() && (!map.is_contiguous() || map.numel() != batch * heads * rows * count)))
        throw std::logic_error("fullAttention: tensors that do not belong together");
    const std::int64_t padded = (count + kSide - 1) / kSide * kSide;
    const at::Tensor keyPanels = at::empty({batch * heads, padded * headWidth}, queries.options());
    const at::Tensor valuePanels = at::empty({batch * heads, count * valueWidth}, queries.options());
    const at::Tensor out = at::empty({batch, rows, heads, valueWidth}, queries.options());
    const auto headOf = [heads](const at::Tensor& x, std::int64_t index) {
        return x.const_data_ptr<float>() + index / heads * x.stride(0) + index % heads * x.stride(1);
    };
    auto *packedKeys = keyPanels.mutable_data_ptr<float>(),
         *packedValues = valuePanels.mutable_data_ptr<float>();
    auto *to = out.mutable_data_ptr<float>(),
         *weights = map.defined() ? map.mutable_data_ptr<float>() : nullptr;
    at::parallel_for(0, batch * heads, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t head = begin; head < end; ++head)
            packTokens(headOf(keys, head), keys.stride(2), headOf(values, head), values.stride(2), count,
                       headWidth, valueWidth, packedKeys + head * padded * headWidth,
                       packedValues + head * count * valueWidth);
    });
    const std::int64_t pieces = (rows + kQueries - 1) / kQueries;
    at::parallel_for(0, batch * heads * pieces, 1, [&](std::int64_t begin, std::int64_t end) {
        FullScratch scratch;
        scratch.queries.resize(static_cast<std::size_t>(kQueries * headWidth));
        scratch.scores.resize(static_cast<std::size_t>(map.defined() ? 0 : kQueries * kKeys));
        scratch.mixed.resize(static_cast<std::size_t>(kQueries * valueWidth));
        for (std::int64_t piece = begin; piece < end; ++piece) {
            const std::int64_t head = piece / pieces, first = piece % pieces * kQueries;
            attendPiece({headOf(queries, head) + first * queries.stride(2), queries.stride(2),
                         std::min(kQueries, rows - first), packedKeys + head * padded * headWidth,
                         packedValues + head * count * valueWidth, count, headWidth, valueWidth,
                         to + ((head / heads * rows + first) * heads + head % heads) * valueWidth,
                         heads * valueWidth, weights ? weights + (head * rows + first) * count : nullptr},
                        scratch);
        }
    });
    return out.transpose(1, 2);
}

} // namespace headroom::models
