// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/kernels/vector_clones.h"

#include <cstdint>
#include <cstring>

/// Vectors of the compiler for the kernels of banded.h: as many lanes as the widest registers have, split
/// where the clone's are narrower. Included only by files with clones, inside which everything is inlined.
namespace headroom::models::banded {

constexpr int kBytes = 64;
template <class T>
constexpr int kLanes = kBytes / static_cast<int>(sizeof(T));

template <class T, int kCount>
struct VectorOf {
    typedef T Type __attribute__((vector_size(kCount * sizeof(T))));
};
template <class T>
struct VectorOf<T, 1> {
    using Type = T;
};
template <class T, int kCount = kLanes<T>>
using Vector = typename VectorOf<T, kCount>::Type;

template <class V, class T>
HEADROOM_INLINE void load(V& vector, const T* from) {
    std::memcpy(&vector, from, sizeof(V));
}
template <class V, class T>
HEADROOM_INLINE void store(const V& vector, T* to) {
    std::memcpy(to, &vector, sizeof(V));
}

/// The rows of one head: row i begins at data + i · stride.
template <class T>
struct Rows {
    T* data;
    std::int64_t stride;
    T* row(std::int64_t i) const { return data + i * stride; }
};

/// Four rows of four numbers from `from`, turned round, to four rows from `to`.
template <class T>
HEADROOM_INLINE void transpose4(const T* from, std::int64_t fromStride, T* to, std::int64_t toStride) {
    Vector<T, 4> a, b, c, d;
    load(a, from);
    load(b, from + fromStride);
    load(c, from + 2 * fromStride);
    load(d, from + 3 * fromStride);
    const Vector<T, 4> ab = __builtin_shufflevector(a, b, 0, 4, 1, 5),
                       AB = __builtin_shufflevector(a, b, 2, 6, 3, 7),
                       cd = __builtin_shufflevector(c, d, 0, 4, 1, 5),
                       CD = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    const Vector<T, 4> r0 = __builtin_shufflevector(ab, cd, 0, 1, 4, 5),
                       r1 = __builtin_shufflevector(ab, cd, 2, 3, 6, 7),
                       r2 = __builtin_shufflevector(AB, CD, 0, 1, 4, 5),
                       r3 = __builtin_shufflevector(AB, CD, 2, 3, 6, 7);
    store(r0, to);
    store(r1, to + toStride);
    store(r2, to + 2 * toStride);
    store(r3, to + 3 * toStride);
}

} // namespace headroom::models::banded
