// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/kernels/device_code.h"

#include <cstdint>

/// What a warp does together on matrices of bfloat16: two numbers per word, the earlier one in the lower half. In the layouts
/// of PTX, lane 4g + t holds, of a matrix
///   16 × 16 (`a`): row g, columns 2t and 2t + 1; row g + 8; row g, columns 2t + 8 and 2t + 9; row g + 8
///   16 × 8 (`b0`, `b1`): column g, rows 2t and 2t + 1; rows 2t + 8 and 2t + 9
///   16 × 8 of sums (`sums`): row g, columns 2t and 2t + 1; row g + 8
/// All 32 lanes call each function. Compiled as C++ for tests, the lanes read one another's numbers instead.
namespace headroom::models::device {

__device__ inline std::uint32_t packed(float low, float high) {
#ifdef __CUDACC__
    std::uint32_t word;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(high), "f"(low));
    return word;
#else
    Bfloat16 first, second;
    store(first, low);
    store(second, high);
    return first.bits | static_cast<std::uint32_t>(second.bits) << 16;
#endif
}

#ifdef __CUDACC__
/// sums += a b
__device__ inline void multiply(float (&sums)[4], const std::uint32_t (&a)[4], std::uint32_t b0, std::uint32_t b1) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/// Two matrices `b` side by side from 16 rows in shared memory: {b0, b1} of columns 0 to 7, then of 8 to 15. Lane l gives the place
/// of row l % 16, column 8 (l / 16), at 16 bytes.
__device__ inline void loadColumns(std::uint32_t (&b)[4], const Bfloat16* row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(b[0]), "=r"(b[1]), "=r"(b[2]), "=r"(b[3])
                 : "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(row)))
                 : "memory");
}
#else
inline float half(std::uint32_t word, int which) {
    return wide(Bfloat16{static_cast<std::uint16_t>(which == 0 ? word : word >> 16)});
}

inline void multiply(float (&sums)[4], const std::uint32_t (&a)[4], std::uint32_t b0, std::uint32_t b1) {
    const std::uint32_t own[6] = {a[0], a[1], a[2], a[3], b0, b1};
    const auto lanes = headroom::testing::blockThread->everyLane(&own[0], __LINE__);
    const unsigned group = threadIdx.x / 4, member = threadIdx.x % 4;
    for (unsigned quad = 0; quad < 4; ++quad)
        for (unsigned column = 0; column < 2; ++column) {
            const std::uint32_t *left = lanes[4 * group + quad], *right = lanes[4 * (2 * member + column) + quad] + 4;
            for (unsigned row = 0; row < 2; ++row)
                for (unsigned part = 0; part < 2; ++part)
                    for (int which = 0; which < 2; ++which)
                        sums[2 * row + column] += half(left[row + 2 * part], which) * half(right[part], which);
        }
    __syncwarp(); // until every lane has read what the others have
}

inline void loadColumns(std::uint32_t (&b)[4], const Bfloat16* row) {
    const auto rows = headroom::testing::blockThread->everyLane(row, __LINE__);
    const unsigned group = threadIdx.x / 4, member = threadIdx.x % 4;
    for (unsigned matrix = 0; matrix < 4; ++matrix)
        b[matrix] = rows[8 * matrix + 2 * member][group].bits |
                    static_cast<std::uint32_t>(rows[8 * matrix + 2 * member + 1][group].bits) << 16;
}
#endif

} // namespace headroom::models::device
