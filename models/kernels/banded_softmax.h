// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/kernels/banded_vectors.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace headroom::models::banded {

template <class T>
constexpr T kNothing = -std::numeric_limits<T>::infinity();

/// exp of every lane, for numbers up to 0: Cephes' expf (range reduced by ln 2 in two parts, polynomial of
/// the sixth order), within 2 units in the last place; below −87.3, where floats end, exactly 0. NaN stays
/// NaN.
template <int kCount>
HEADROOM_INLINE void exponentialOf(Vector<float, kCount>& x) {
    using Floats = Vector<float, kCount>;
    using Ints = Vector<std::int32_t, kCount>;
    constexpr float kSmallest = -87.336544F;
    const Ints vanishes = x < kSmallest;
    const Floats bounded = vanishes ? Floats{} : x;
    constexpr float kRound = 12582912.0F; // 1.5 · 2²³: adding it leaves the nearest integer in the last bits
    const Floats shifted = bounded * 1.44269504088896341F + kRound;
    const Floats whole = shifted - kRound;
    const Floats r = (bounded - whole * 0.693359375F) - whole * -2.12194440e-4F;
    Floats p = r * 1.9875691500e-4F + 1.3981999507e-3F;
    p = p * r + 8.3334519073e-3F;
    p = p * r + 4.1665795894e-2F;
    p = p * r + 1.6666665459e-1F;
    p = p * r + 5.0000001201e-1F;
    p = p * (r * r) + r + 1.0F;
    Ints power;
    std::memcpy(&power, &shifted, sizeof power);
    power = (power + 127) << 23; // the float's own exponent; what 1.5 · 2²³ left above falls off
    Floats scale;
    std::memcpy(&scale, &power, sizeof scale);
    x = vanishes ? Floats{} : p * scale;
}
HEADROOM_INLINE void exponential(Vector<float>& x) {
    exponentialOf<kLanes<float>>(x);
}
HEADROOM_INLINE void exponential(Vector<double>& x) {
    for (int lane = 0; lane < kLanes<double>; ++lane)
        x[lane] = std::exp(x[lane]); // double is for checks
}

/// The first `count` numbers from `from`, then `rest`. A copy in pieces of known size, which need no call.
template <class T, int kPiece>
HEADROOM_INLINE void copyPieces(const T* from, T* to, std::int64_t count) {
    if (count & kPiece) {
        std::memcpy(to, from, kPiece * sizeof(T));
        from += kPiece;
        to += kPiece;
    }
    if constexpr (kPiece > 1)
        copyPieces<T, kPiece / 2>(from, to, count);
}
template <class T>
HEADROOM_INLINE void loadSome(Vector<T>& x, const T* from, std::int64_t count, T rest) {
    if (count >= kLanes<T>) {
        load(x, from);
        return;
    }
    T lanes[kLanes<T>];
    store(Vector<T>{} + rest, lanes);
    copyPieces<T, kLanes<T> / 2>(from, lanes, count);
    load(x, lanes);
}
template <class T>
HEADROOM_INLINE void storeSome(const Vector<T>& x, T* to, std::int64_t count) {
    if (count >= kLanes<T>) {
        store(x, to);
        return;
    }
    T lanes[kLanes<T>];
    store(x, lanes);
    copyPieces<T, kLanes<T> / 2>(lanes, to, count);
}

template <class T>
HEADROOM_INLINE T largestOf(const Vector<T>& x) {
    T lanes[kLanes<T>];
    store(x, lanes);
    Vector<T, 4> most, other;
    load(most, lanes);
    for (int lane = 4; lane < kLanes<T>; lane += 4) {
        load(other, lanes + lane);
        most = other > most ? other : most;
    }
    const T a = most[0] > most[1] ? most[0] : most[1], b = most[2] > most[3] ? most[2] : most[3];
    return a > b ? a : b;
}
template <class T>
HEADROOM_INLINE T sumOf(const Vector<T>& x) {
    T lanes[kLanes<T>];
    store(x, lanes);
    Vector<T, 4> sum, other;
    load(sum, lanes);
    for (int lane = 4; lane < kLanes<T>; lane += 4) {
        load(other, lanes + lane);
        sum += other;
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/// Where the pieces of a row begin: a vector each, the last one moved back to end with the row, so that it
/// overlaps the one before. A row shorter than a vector is one piece.
template <class T>
HEADROOM_INLINE std::int64_t pieceStart(std::int64_t piece, std::int64_t pieces, std::int64_t slots) {
    return piece + 1 == pieces && pieces > 1 ? slots - kLanes<T> : piece * kLanes<T>;
}
/// Of the last of several pieces, the lanes that the one before does not have; 0 in the others.
template <class T>
HEADROOM_INLINE void onlyNew(Vector<T>& x, std::int64_t pieces, std::int64_t slots) {
    const std::int64_t again = pieces > 1 ? pieces * kLanes<T> - slots : 0;
    Vector<T> lane;
    for (int k = 0; k < kLanes<T>; ++k)
        lane[k] = static_cast<T>(k);
    x = lane < static_cast<T>(again) ? Vector<T>{} : x;
}

/// softmax(scale · row) of a row of kPieces vectors, which stay in registers.
template <class T, int kPieces>
HEADROOM_INLINE bool softmaxOfPieces(T* row, std::int64_t slots, T scale) {
    Vector<T> x[kPieces], most = Vector<T>{} + kNothing<T>, sums = {};
#pragma GCC unroll 4
    for (int p = 0; p < kPieces; ++p) {
        loadSome<T>(x[p], row + pieceStart<T>(p, kPieces, slots), kPieces > 1 ? kLanes<T> : slots,
                    kNothing<T>);
        most = x[p] > most ? x[p] : most;
    }
    const T largest = largestOf<T>(most);
    if (largest == kNothing<T>)
        return false;
#pragma GCC unroll 4
    for (int p = 0; p < kPieces; ++p) {
        x[p] = (x[p] - largest) * scale;
        exponential(x[p]);
        Vector<T> added = x[p];
        if (p + 1 == kPieces)
            onlyNew<T>(added, kPieces, slots);
        sums += added;
    }
    const T inverse = 1 / sumOf<T>(sums);
#pragma GCC unroll 4
    for (int p = 0; p < kPieces; ++p)
        storeSome<T>(x[p] * inverse, row + pieceStart<T>(p, kPieces, slots), kPieces > 1 ? kLanes<T> : slots);
    return true;
}

/// The same of a row of any length, vector after vector.
template <class T>
HEADROOM_INLINE bool softmaxOfAnyRow(T* row, std::int64_t slots, T scale) {
    constexpr int kLane = kLanes<T>;
    Vector<T> x, most = Vector<T>{} + kNothing<T>, sums = {};
    for (std::int64_t s = 0; s < slots; s += kLane) {
        loadSome(x, row + s, slots - s, kNothing<T>);
        most = x > most ? x : most;
    }
    const T largest = largestOf<T>(most);
    if (largest == kNothing<T>)
        return false;
    for (std::int64_t s = 0; s < slots; s += kLane) {
        loadSome(x, row + s, slots - s, kNothing<T>);
        x = (x - largest) * scale;
        exponential(x);
        sums += x;
        storeSome<T>(x, row + s, slots - s);
    }
    const T inverse = 1 / sumOf<T>(sums);
    for (std::int64_t s = 0; s < slots; ++s)
        row[s] *= inverse;
    return true;
}

/// softmax(scale · row), in place. A row of −∞ becomes zeros; NaN is not hidden. Before `begin`, a whole
/// number of vectors, and from `end` on there is nothing but −∞.
template <class T>
HEADROOM_INLINE void softmax(T* row, std::int64_t slots, std::int64_t begin, std::int64_t end, T scale) {
    bool seen = false;
    switch ((slots + kLanes<T> - 1) / kLanes<T>) {
    case 1:
        seen = softmaxOfPieces<T, 1>(row, slots, scale);
        break;
    case 2:
        seen = softmaxOfPieces<T, 2>(row, slots, scale);
        break;
    case 3:
        seen = softmaxOfPieces<T, 3>(row, slots, scale);
        break;
    default:
        seen = softmaxOfAnyRow(row + begin, end - begin, scale);
        std::fill(row, row + begin, T(0));
        std::fill(row + end, row + slots, T(0));
    }
    // Nothing is larger than −∞: no key, or NaN, which compares as nothing.
    if (!seen && std::all_of(row, row + slots, [](T value) { return value == kNothing<T> || value == 0; }))
        std::fill(row, row + slots, T(0));
}

/// scale · w_s (g_s − Σ_t w_t g_t), written over g; a weight of 0 has gradient 0 whatever g is.
template <class T>
HEADROOM_INLINE void softmaxBackward(const T* weights, T* grad, std::int64_t slots, T scale) {
    constexpr int kLane = kLanes<T>;
    Vector<T> w, g, sums = {};
    for (std::int64_t s = 0; s < slots; s += kLane) {
        loadSome(w, weights + s, slots - s, T(0));
        loadSome(g, grad + s, slots - s, T(0));
        sums += w == 0 ? Vector<T>{} : w * g;
    }
    const T shared = sumOf<T>(sums);
    for (std::int64_t s = 0; s < slots; s += kLane) {
        loadSome(w, weights + s, slots - s, T(0));
        loadSome(g, grad + s, slots - s, T(0));
        g = w == 0 ? Vector<T>{} : scale * w * (g - shared);
        storeSome<T>(g, grad + s, slots - s);
    }
}

} // namespace headroom::models::banded
