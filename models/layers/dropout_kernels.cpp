// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/dropout_kernels.h"

#include "models/kernels/vector_clones.h"

#include <bit>

namespace headroom::models {

namespace {

HEADROOM_INLINE std::uint32_t mixed(std::uint32_t x) {
    x ^= x >> 16;
    x *= 0x7FEB352DU;
    x ^= x >> 15;
    x *= 0x846CA68BU;
    return x ^ (x >> 16);
}

HEADROOM_INLINE float load(float x) {
    return x;
}
HEADROOM_INLINE double load(double x) {
    return x;
}
HEADROOM_INLINE float load(BFloat16 x) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(x.bits) << 16);
}
HEADROOM_INLINE void store(float& place, float x) {
    place = x;
}
HEADROOM_INLINE void store(double& place, double x) {
    place = x;
}
HEADROOM_INLINE void store(BFloat16& place, float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t rounded = (bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16;
    place.bits = static_cast<std::uint16_t>(x == x ? rounded : 0x7FC0U);
}

template <class Y, class X>
HEADROOM_INLINE void multiplyLoop(Y* y, const X* x, const float* mask, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i)
        store(y[i], load(x[i]) * mask[i]);
}

template <class T>
HEADROOM_INLINE void positiveLoop(T* x, const float* mask, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        const auto value = load(x[i]);
        store(x[i], (value <= 0 ? 0 : value) * mask[i]);
    }
}

template <class T>
HEADROOM_INLINE void whereLoop(T* y, const T* x, const T* positive, float kept, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i)
        store(y[i], load(x[i]) * (load(positive[i]) > 0 ? kept : 0.0F));
}

template <class Y, class X>
HEADROOM_INLINE void addLoop(Y* y, const X* x, const float* mask, const Y* past, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i)
        store(y[i], load(x[i]) * mask[i] + load(past[i]));
}

} // namespace

HEADROOM_VECTOR_CLONES
void drawMask(float* mask, std::uint32_t first, std::int64_t count, std::uint64_t key, std::uint32_t limit,
              float kept) {
    const auto low = static_cast<std::uint32_t>(key), high = static_cast<std::uint32_t>(key >> 32);
    for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(count); ++i) {
        const std::uint32_t drawn = mixed(mixed((first + i) * 0x9E3779B9U + low) ^ high);
        mask[i] = drawn < limit ? 0.0F : kept;
    }
}

HEADROOM_VECTOR_CLONES
void multiply(float* y, const float* x, const float* mask, std::int64_t count) {
    multiplyLoop(y, x, mask, count);
}
HEADROOM_VECTOR_CLONES
void multiply(double* y, const double* x, const float* mask, std::int64_t count) {
    multiplyLoop(y, x, mask, count);
}
HEADROOM_VECTOR_CLONES
void multiply(BFloat16* y, const BFloat16* x, const float* mask, std::int64_t count) {
    multiplyLoop(y, x, mask, count);
}
HEADROOM_VECTOR_CLONES
void multiply(BFloat16* y, const float* x, const float* mask, std::int64_t count) {
    multiplyLoop(y, x, mask, count);
}

HEADROOM_VECTOR_CLONES
void multiplyPositive(float* x, const float* mask, std::int64_t count) {
    positiveLoop(x, mask, count);
}
HEADROOM_VECTOR_CLONES
void multiplyPositive(double* x, const float* mask, std::int64_t count) {
    positiveLoop(x, mask, count);
}
HEADROOM_VECTOR_CLONES
void multiplyPositive(BFloat16* x, const float* mask, std::int64_t count) {
    positiveLoop(x, mask, count);
}

HEADROOM_VECTOR_CLONES
void multiplyWherePositive(float* y, const float* x, const float* positive, float kept, std::int64_t count) {
    whereLoop(y, x, positive, kept, count);
}
HEADROOM_VECTOR_CLONES
void multiplyWherePositive(double* y, const double* x, const double* positive, float kept,
                           std::int64_t count) {
    whereLoop(y, x, positive, kept, count);
}
HEADROOM_VECTOR_CLONES
void multiplyWherePositive(BFloat16* y, const BFloat16* x, const BFloat16* positive, float kept,
                           std::int64_t count) {
    whereLoop(y, x, positive, kept, count);
}

HEADROOM_VECTOR_CLONES
void multiplyAdd(float* y, const float* x, const float* mask, const float* past, std::int64_t count) {
    addLoop(y, x, mask, past, count);
}
HEADROOM_VECTOR_CLONES
void multiplyAdd(double* y, const double* x, const float* mask, const double* past, std::int64_t count) {
    addLoop(y, x, mask, past, count);
}
HEADROOM_VECTOR_CLONES
void multiplyAdd(float* y, const BFloat16* x, const float* mask, const float* past, std::int64_t count) {
    addLoop(y, x, mask, past, count);
}

} // namespace headroom::models
