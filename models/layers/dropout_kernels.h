// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace headroom::models {

/// A bfloat16 in memory: the upper half of a float.
struct BFloat16 {
    std::uint16_t bits;
};

/// Sets mask[i] to `kept`, or to 0 if the number of key and position is below `limit` (a share of 2³²).
void drawMask(float* mask, std::uint32_t first, std::int64_t count, std::uint64_t key, std::uint32_t limit,
              float kept);

// Loops over `count` numbers; arithmetic in float (in double for double), bfloat16 rounded to nearest even.

/// y = x · mask
void multiply(float* y, const float* x, const float* mask, std::int64_t count);
void multiply(double* y, const double* x, const float* mask, std::int64_t count);
void multiply(BFloat16* y, const BFloat16* x, const float* mask, std::int64_t count);
void multiply(BFloat16* y, const float* x, const float* mask, std::int64_t count);

/// x = max(x, 0) · mask; NaN stays NaN
void multiplyPositive(float* x, const float* mask, std::int64_t count);
void multiplyPositive(double* x, const float* mask, std::int64_t count);
void multiplyPositive(BFloat16* x, const float* mask, std::int64_t count);

/// y = x · kept if `positive` is above 0, otherwise 0
void multiplyWherePositive(float* y, const float* x, const float* positive, float kept, std::int64_t count);
void multiplyWherePositive(double* y, const double* x, const double* positive, float kept,
                           std::int64_t count);
void multiplyWherePositive(BFloat16* y, const BFloat16* x, const BFloat16* positive, float kept,
                           std::int64_t count);

/// y = x · mask + past
void multiplyAdd(float* y, const float* x, const float* mask, const float* past, std::int64_t count);
void multiplyAdd(double* y, const double* x, const float* mask, const double* past, std::int64_t count);
void multiplyAdd(float* y, const BFloat16* x, const float* mask, const float* past, std::int64_t count);

} // namespace headroom::models
