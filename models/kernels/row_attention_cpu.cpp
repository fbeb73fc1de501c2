// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled with -O3 -fopenmp -fno-math-errno (models/CMakeLists.txt).
#include "models/kernels/row_attention.h"

#include "models/kernels/banded_softmax.h"
#include "models/kernels/packed_tile.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace headroom::models {
namespace {

using Half = packed::Pair::Half;
constexpr std::int64_t kHalf = PackedMatrix::kSide / 2;
constexpr std::int64_t kWorthWaking = 50'000; ///< multiplications of a thread

HEADROOM_INLINE Half half(const float* from) {
    Half values;
    std::memcpy(&values, from, sizeof values);
    return values;
}

HEADROOM_INLINE float sumOf(Half values) {
    float lanes[kHalf];
    std::memcpy(lanes, &values, sizeof values);
    return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) + ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
}

float scaleOf(const QueryRows& rows) {
    return static_cast<float>(1 / std::sqrt(static_cast<double>(rows.headWidth)));
}

/// a · b over `count` numbers.
HEADROOM_INLINE float product(const float* a, const float* b, std::int64_t count) {
    Half sums{}, more{};
    std::int64_t d = 0;
    for (; d + 2 * kHalf <= count; d += 2 * kHalf) {
        sums += half(a + d) * half(b + d);
        more += half(a + d + kHalf) * half(b + d + kHalf);
    }
    sums += more;
    float sum = sumOf(sums);
    for (; d < count; ++d)
        sum += a[d] * b[d];
    return sum;
}

/// softmax(scale · row), in place; no number is −∞.
HEADROOM_INLINE void softmaxRow(float* row, std::int64_t count, float scale) {
    const std::int64_t whole = count / kHalf * kHalf;
    float largest = -std::numeric_limits<float>::infinity();
    if (whole > 0) {
        Half most = half(row);
        for (std::int64_t i = kHalf; i < whole; i += kHalf) {
            const Half next = half(row + i);
            most = next > most ? next : most;
        }
        float lanes[kHalf];
        std::memcpy(lanes, &most, sizeof most);
        largest = *std::max_element(lanes, lanes + kHalf);
    }
    largest = count > whole ? std::max(largest, *std::max_element(row + whole, row + count)) : largest;
    Half sums{};
    const auto raise = [&](Half x) {
        x = (x - largest) * scale;
        banded::exponentialOf<kHalf>(x);
        return x;
    };
    for (std::int64_t i = 0; i < whole; i += kHalf) {
        const Half x = raise(half(row + i));
        sums += x;
        std::memcpy(row + i, &x, sizeof x);
    }
    float sum = sumOf(sums);
    if (count > whole) {
        float lanes[kHalf];
        std::fill(lanes, lanes + kHalf, largest);
        std::copy(row + whole, row + count, lanes);
        const Half x = raise(half(lanes));
        std::memcpy(lanes, &x, sizeof x);
        std::copy_n(lanes, count - whole, row + whole);
        sum = std::accumulate(row + whole, row + count, sum);
    }
    const float inverse = 1 / sum;
    for (std::int64_t i = 0; i < count; ++i)
        row[i] *= inverse;
}

/// One row and head; `weights` has room for the steps.
HEADROOM_VECTOR_CLONES void fedHead(const QueryRows& rows, const FedTokens& tokens, std::int64_t row,
                                    std::int64_t head, float scale, float* weights) {
    constexpr std::int64_t kAtOnce = 4; // vectors of values that are summed side by side
    const std::int64_t width = rows.heads * rows.headWidth, begin = head * rows.headWidth;
    const std::int64_t first = tokens.first ? tokens.first[head] : 0, count = tokens.count - first;
    const auto key = [&](std::int64_t step) { // of those that it sees
        return tokens.steps[first + step] + tokens.ancestor[first + step][row] * 2 * width + begin;
    };
    for (std::int64_t step = 0; step < count; ++step)
        weights[step] = product(rows.queries + row * rows.stride + begin, key(step), rows.headWidth);
    softmaxRow(weights, count, scale);
    float* out = rows.out + row * rows.outStride + begin;
    std::int64_t d = 0;
    for (; d + kAtOnce * kHalf <= rows.headWidth; d += kAtOnce * kHalf) {
        Half sums[kAtOnce] = {};
        for (std::int64_t step = 0; step < count; ++step) {
            const float* value = key(step) + width + d;
            for (std::int64_t n = 0; n < kAtOnce; ++n)
                sums[n] += weights[step] * half(value + n * kHalf);
        }
        std::memcpy(out + d, sums, sizeof sums);
    }
    for (; d < rows.headWidth; ++d) {
        float sum = 0;
        for (std::int64_t step = 0; step < count; ++step)
            sum += weights[step] * key(step)[width + d];
        out[d] = sum;
    }
}

/// Neighbouring rows of one recording and one head; `weights` [row, stride].
HEADROOM_VECTOR_CLONES void heardHead(const QueryRows& rows, const HeardTokens& heard, std::int64_t first,
                                      std::int64_t count, std::int64_t head, float scale, float* weights,
                                      std::int64_t stride) {
    const auto number = static_cast<std::size_t>(head);
    const PackedMatrix &keys = heard.keys[number], &values = heard.values[number];
    const std::int64_t begin = head * rows.headWidth;
    const RowProduct scores{rows.queries + first * rows.stride + begin, rows.stride, count, weights, stride};
    packed::panels(keys, scores, 0, keys.panels());
    for (std::int64_t r = 0; r < count; ++r)
        softmaxRow(weights + r * stride, keys.out(), scale);
    const RowProduct mix{weights, stride, count, rows.out + first * rows.outStride + begin, rows.outStride};
    packed::panels(values, mix, 0, values.panels());
}

/// Neighbouring rows of one recording.
struct Neighbours {
    std::int64_t first, count;
    const HeardTokens* heard;
};

} // namespace

void attendFed(const QueryRows& rows, const FedTokens& tokens) {
    const std::int64_t cost = 2 * tokens.count * rows.headWidth;
    const float scale = scaleOf(rows);
    at::parallel_for(0, rows.rows * rows.heads, kWorthWaking / cost + 1, [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> weights(static_cast<std::size_t>(tokens.count));
        for (std::int64_t item = begin; item < end; ++item)
            fedHead(rows, tokens, item / rows.heads, item % rows.heads, scale, weights.data());
    });
}

HeardTokens::HeardTokens(const float* keyRows, const float* valueRows, std::int64_t tokens, std::int64_t heads,
                         std::int64_t headWidth) {
    const std::int64_t width = heads * headWidth;
    for (std::int64_t head = 0; head < heads; ++head) {
        keys.emplace_back(tokens, headWidth).set(0, tokens, keyRows + head * headWidth, width, 1);
        values.emplace_back(headWidth, tokens).set(0, headWidth, valueRows + head * headWidth, 1, width);
    }
}

void attendHeard(const QueryRows& rows, const std::vector<HeardTokens>& heard,
                 const std::vector<std::int64_t>& recordings) {
    std::vector<Neighbours> groups;
    std::int64_t longest = 0, most = 0;
    for (std::int64_t row = 0; row < rows.rows; ++row) {
        const auto recording = static_cast<std::size_t>(recordings[static_cast<std::size_t>(row)]);
        const HeardTokens* mine = &heard.at(recording);
        if (groups.empty() || groups.back().heard != mine)
            groups.push_back({row, 0, mine});
        most = std::max(most, ++groups.back().count);
        longest = std::max(longest, mine->keys.front().out());
    }
    const float scale = scaleOf(rows);
    const std::int64_t items = static_cast<std::int64_t>(groups.size()) * rows.heads,
                       cost = 2 * longest * rows.headWidth * most;
    at::parallel_for(0, items, kWorthWaking / (cost + 1) + 1, [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> weights(static_cast<std::size_t>(longest * most));
        for (std::int64_t item = begin; item < end; ++item) {
            const Neighbours& group = groups[static_cast<std::size_t>(item / rows.heads)];
            heardHead(rows, *group.heard, group.first, group.count, item % rows.heads, scale, weights.data(),
                      longest);
        }
    });
}

} // namespace headroom::models
