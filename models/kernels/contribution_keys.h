// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/kernels/banded_vectors.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

/// What contributions read u for: the Gram rows and the diagonal. Included only by a file with clones, inside
/// which everything is inlined.
namespace headroom::models::fused {

/// One layer's work, borrowed. Pairs (h, g ≥ h) of the symmetric Gram matrix lie one after the other, each a
/// row over j; pairs with g > h stand for two and are doubled.
template <class T>
struct Work {
    std::int64_t heads, queries, keys, width, reach;
    const T* attention; // [head, query, key]
    const T* residual;  // [query, width]
    T* gram;            // [pair, key]
    T* diagonal;        // ‖T_ii‖ [query], unless ownColumn
    T* out;             // [query, column]
    bool ownColumn;     // the residual's, behind the keys; else it joins the diagonal

    std::int64_t columns() const { return keys + (ownColumn ? 1 : 0); }
};

/// u of some keys, borrowed.
template <class T>
struct Keys {
    const T* transformed; // [head, count, width]
    std::int64_t first, count;
    const T* of(std::int64_t head, std::int64_t key, std::int64_t width) const {
        return transformed + (head * count + key - first) * width;
    }
};

template <class T>
HEADROOM_INLINE double dot(const T* a, const T* b, std::int64_t n) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t d = 0; d < n; ++d)
        sum += static_cast<double>(a[d]) * static_cast<double>(b[d]);
    return sum;
}

/// 32 bytes: of loops over numbers g++ 12 made code that takes several times as long.
template <class T>
constexpr int kSome = 32 / static_cast<int>(sizeof(T));
template <class T>
using Some = banded::Vector<T, kSome<T>>;

template <class T>
HEADROOM_INLINE Some<T> someFrom(const T* from) {
    Some<T> values;
    banded::load(values, from);
    return values;
}

constexpr int kGramHeads = 4; ///< with two vectors of sums each, which stay in registers

/// u^h_j · u^g_j for kHeads heads g from the first on. Floats are added as floats in 16 sums and these in
/// double: their rounding is that of the result as it is stored, and nothing is converted in between.
template <int kHeads, class T>
HEADROOM_INLINE void gramProducts(const T* u, const T* others, std::int64_t stride, std::int64_t width,
                                  double* products) {
    constexpr std::int64_t kStep = 2 * kSome<T>;
    Some<T> low[kHeads], high[kHeads];
#pragma GCC unroll 4
    for (int g = 0; g < kHeads; ++g)
        low[g] = high[g] = Some<T>{};
    std::int64_t d = 0;
    for (; d + kStep <= width; d += kStep) {
        const Some<T> a = someFrom(u + d), b = someFrom(u + d + kSome<T>);
#pragma GCC unroll 4
        for (int g = 0; g < kHeads; ++g) {
            low[g] += a * someFrom(others + g * stride + d);
            high[g] += b * someFrom(others + g * stride + d + kSome<T>);
        }
    }
#pragma GCC unroll 4
    for (int g = 0; g < kHeads; ++g) {
        double sum = dot(u + d, others + g * stride + d, width - d);
        T parts[kStep];
        banded::store(low[g], parts);
        banded::store(high[g], parts + kSome<T>);
        for (const T part : parts)
            sum += static_cast<double>(part);
        products[g] = sum;
    }
}

/// ‖T_ii‖ with the residual, written out: here heads and residual may cancel, and it is one vector per row.
template <class T>
HEADROOM_INLINE T diagonalNorm(const Work<T>& w, const Keys<T>& keys, std::int64_t i) {
    constexpr int kCount = 4, kVectors = 4;
    using Four = banded::Vector<double, kCount>;
    const auto four = [](const T* from) {
        banded::Vector<T, kCount> values;
        banded::load(values, from);
        return __builtin_convertvector(values, Four);
    };
    const auto weightOf = [&](std::int64_t h) {
        return static_cast<double>(w.attention[(h * w.queries + i) * w.keys + i]);
    };
    const T* residual = w.residual + i * w.width;
    Four squares{};
    std::int64_t d = 0;
    for (; d + kVectors * kCount <= w.width; d += kVectors * kCount) {
        Four value[kVectors];
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v)
            value[v] = four(residual + d + v * kCount);
        for (std::int64_t h = 0; h < w.heads; ++h) {
            const double weight = weightOf(h);
            const T* u = keys.of(h, i, w.width) + d;
#pragma GCC unroll 4
            for (int v = 0; v < kVectors; ++v)
                value[v] += weight * four(u + v * kCount);
        }
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v)
            squares += value[v] * value[v];
    }
    double parts[kCount];
    banded::store(squares, parts);
    double square = (parts[0] + parts[1]) + (parts[2] + parts[3]);
    for (; d < w.width; ++d) {
        auto value = static_cast<double>(residual[d]);
        for (std::int64_t h = 0; h < w.heads; ++h)
            value += weightOf(h) * static_cast<double>(keys.of(h, i, w.width)[d]);
        square += value * value;
    }
    return static_cast<T>(std::sqrt(square));
}

/// What u is read for: the Gram rows and the diagonal of the keys begin … end − 1.
template <class T>
HEADROOM_INLINE void keysOf(const Work<T>& w, const Keys<T>& keys, std::int64_t begin, std::int64_t end) {
    const std::int64_t stride = keys.count * w.width;
    for (std::int64_t j = begin; j < end; ++j) {
        std::int64_t pair = 0;
        for (std::int64_t h = 0; h < w.heads; ++h)
            for (std::int64_t first = h; first < w.heads; first += kGramHeads) {
                const int count = static_cast<int>(std::min<std::int64_t>(kGramHeads, w.heads - first));
                const T *u = keys.of(h, j, w.width), *others = keys.of(first, j, w.width);
                double products[kGramHeads];
                switch (count) {
                case 1:
                    gramProducts<1>(u, others, stride, w.width, products);
                    break;
                case 2:
                    gramProducts<2>(u, others, stride, w.width, products);
                    break;
                case 3:
                    gramProducts<3>(u, others, stride, w.width, products);
                    break;
                default:
                    gramProducts<kGramHeads>(u, others, stride, w.width, products);
                }
                for (int g = 0; g < count; ++g, ++pair)
                    w.gram[pair * w.keys + j] =
                        static_cast<T>(first + g == h ? products[g] : 2 * products[g]);
            }
        if (!w.ownColumn && j < w.queries)
            w.diagonal[j] = diagonalNorm(w, keys, j);
    }
}

} // namespace headroom::models::fused
