// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/kernels/banded_vectors.h"

#include <algorithm>
#include <vector>

namespace headroom::models::banded {

constexpr std::int64_t kPackedKeys = 192; ///< whose turned rows lie in the cache at once
constexpr int kQueries = 6; ///< that share a load of keys: 6 sums fit the registers of every clone

/// Room for one thread's keys, turned round: [width][kPackedKeys and a vector more].
template <class T>
struct ProductsRoom {
    static constexpr std::int64_t kStride = kPackedKeys + kLanes<T>;
    std::vector<T> keys;
    T products[kQueries][kStride] = {};
    explicit ProductsRoom(std::int64_t width) : keys(static_cast<std::size_t>(width * kStride)) {}
};

template <class T>
HEADROOM_INLINE void packKeys(const Rows<const T>& from, std::int64_t begin, std::int64_t end,
                              std::int64_t width, T* to) {
    constexpr std::int64_t stride = ProductsRoom<T>::kStride;
    const std::int64_t count = end - begin;
    std::int64_t j = 0;
    for (; j + 4 <= count; j += 4) {
        std::int64_t d = 0;
        for (; d + 4 <= width; d += 4)
            transpose4(from.row(begin + j) + d, from.stride, to + d * stride + j, stride);
        for (; d < width; ++d)
            for (std::int64_t c = 0; c < 4; ++c)
                to[d * stride + j + c] = from.row(begin + j + c)[d];
    }
    for (; j < count; ++j)
        for (std::int64_t d = 0; d < width; ++d)
            to[d * stride + j] = from.row(begin + j)[d];
}

/// Products of kQueries queries with a vector of keys. Queries past the end are the last one again.
template <class T>
HEADROOM_INLINE void productsOfQueries(const T* const* query, const T* keys, std::int64_t width, T* out) {
    constexpr std::int64_t stride = ProductsRoom<T>::kStride;
    using V = Vector<T>;
    V sums[kQueries] = {};
    for (std::int64_t d = 0; d < width; ++d) {
        V key;
        load(key, keys + d * stride);
#pragma GCC unroll 8
        for (int a = 0; a < kQueries; ++a)
            sums[a] += query[a][d] * key;
    }
#pragma GCC unroll 8
    for (int a = 0; a < kQueries; ++a)
        store(sums[a], out + a * stride);
}

/// Rows [first, last) of the band of products a_i · b_j, `out` the first of them; slots without a key hold
/// `empty`.
template <class T>
HEADROOM_INLINE void products(const Rows<const T>& a, const Rows<const T>& b, std::int64_t first,
                              std::int64_t last, std::int64_t reach, std::int64_t keys, std::int64_t width,
                              T empty, T* out, ProductsRoom<T>& room) {
    const std::int64_t slots = 2 * reach + 1;
    for (std::int64_t i = first; i < last; ++i) {
        T* row = out + (i - first) * slots;
        const std::int64_t begin = std::clamp<std::int64_t>(reach - i, 0, slots),
                           end = std::clamp<std::int64_t>(keys - i + reach, begin, slots);
        std::fill(row, row + begin, empty);
        std::fill(row + end, row + slots, empty);
    }
    const std::int64_t behind = std::min(keys, last + reach);
    for (std::int64_t from = std::max<std::int64_t>(0, first - reach); from < behind; from += kPackedKeys) {
        const std::int64_t to = std::min(behind, from + kPackedKeys);
        packKeys(b, from, to, width, room.keys.data());
        for (std::int64_t i = first; i < last; i += kQueries) {
            const std::int64_t rows = std::min<std::int64_t>(kQueries, last - i);
            const T* query[kQueries];
            for (std::int64_t r = 0; r < kQueries; ++r)
                query[r] = a.row(i + std::min(r, rows - 1));
            const std::int64_t begin = std::max(from, i - reach), end = std::min(to, i + rows + reach);
            for (std::int64_t j = begin; j < end; j += kLanes<T>)
                productsOfQueries(query, room.keys.data() + j - from, width, room.products[0] + j - from);
            for (std::int64_t r = 0; r < rows; ++r) {
                const std::int64_t mine = std::max(begin, i + r - reach),
                                   past = std::min(end, i + r + reach + 1);
                if (mine < past)
                    std::copy(room.products[r] + mine - from, room.products[r] + past - from,
                              out + (i + r - first) * slots + mine - i - r + reach);
            }
        }
    }
}

} // namespace headroom::models::banded
