// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/kernels/banded_products.h"
#include "models/kernels/banded_rows.h"
#include "models/kernels/banded_softmax.h"

#include <algorithm>

/// What the clones are made of: a piece of each operation, for both types. Included by banded_cpu.cpp only.
namespace headroom::models::banded {

template <class T>
struct ProductsPiece {
    Rows<const T> a, b;
    std::int64_t first, last, reach, keys, width;
    T empty;
    T* out;
};
template <class T>
HEADROOM_INLINE void run(const ProductsPiece<T>& p, ProductsRoom<T>& room) {
    products(p.a, p.b, p.first, p.last, p.reach, p.keys, p.width, p.empty, p.out, room);
}

template <class T>
struct RowsPiece {
    Band<T> band;
    Rows<const T> from;
    std::int64_t first, last, reach, inputs, width;
    Rows<T> to;
};
template <class T>
HEADROOM_INLINE void run(const RowsPiece<T>& p) {
    bandRows(p.band, p.from, p.first, p.last, p.reach, p.inputs, p.width, p.to);
}

/// Some rows of a band, one after the other. Where it is known which slots have a key, those of `keys` keys
/// for query `first` and the following ones, whole vectors without one are not read: the same bits, since
/// they would add nothing.
template <class T>
struct SoftmaxPiece {
    T* rows;
    std::int64_t count, slots;
    T scale;
    bool known = false;
    std::int64_t first = 0, reach = 0, keys = 0;

    std::int64_t begin(std::int64_t i) const {
        return known ? std::clamp<std::int64_t>(reach - first - i, 0, slots) / kLanes<T> * kLanes<T> : 0;
    }
    std::int64_t end(std::int64_t i) const {
        constexpr std::int64_t kLane = kLanes<T>;
        const std::int64_t past = (keys - first - i + reach + kLane - 1) / kLane * kLane;
        return known ? std::clamp(past, begin(i), slots) : slots;
    }
};
template <class T>
HEADROOM_INLINE void run(const SoftmaxPiece<T>& p) {
    for (std::int64_t i = 0; i < p.count; ++i)
        softmax(p.rows + i * p.slots, p.slots, p.begin(i), p.end(i), p.scale);
}
/// From weights to the gradient in `rows`, which is 0 where no key is.
template <class T>
HEADROOM_INLINE void runBackward(const SoftmaxPiece<T>& p, const T* weights) {
    for (std::int64_t i = 0; i < p.count; ++i) {
        const std::int64_t begin = p.begin(i), offset = i * p.slots + begin;
        softmaxBackward(weights + offset, p.rows + offset, p.end(i) - begin, p.scale);
    }
}

} // namespace headroom::models::banded
