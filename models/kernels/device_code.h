// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

#ifdef __CUDACC__
#include <cuda_runtime.h>

#include <stdexcept>
#include <string>
#elif !defined(HEADROOM_BLOCK_RUNNER)
#error "Compile *_cuda.cu with nvcc, or include tests/support/block_runner.h first"
#endif

#ifdef __CUDACC__
#define HEADROOM_UNROLL _Pragma("unroll")
#else
#define HEADROOM_UNROLL _Pragma("GCC unroll 8")
#endif

/// What the kernels in *_cuda.cu share. They are written so that tests/support/block_runner.h, which stands
/// for cuda_runtime.h, runs the same source on threads of the CPU: shared memory is dynamic and taken from
/// sharedRoom(), and launches go through launch().
namespace headroom::models::device {

constexpr int kWarp = 32;
constexpr unsigned kAllLanes = 0xFFFFFFFFU;

/// A bfloat16 in memory: the upper half of a float.
struct Bfloat16 {
    std::uint16_t bits;
};

/// Sum: what a storage type is computed in; Out: what results are stored as.
template <class T>
struct Arithmetic {
    using Sum = T;
};
template <>
struct Arithmetic<Bfloat16> {
    using Sum = float;
};
template <class T>
using Sum = typename Arithmetic<T>::Sum;

__device__ inline float wide(float x) {
    return x;
}
__device__ inline double wide(double x) {
    return x;
}
__device__ inline float wide(Bfloat16 x) {
    union {
        std::uint32_t bits;
        float value;
    } both;
    both.bits = static_cast<std::uint32_t>(x.bits) << 16;
    return both.value;
}
__device__ inline void store(float& place, float x) {
    place = x;
}
__device__ inline void store(double& place, double x) {
    place = x;
}
/// Rounds to nearest even; NaN stays NaN.
__device__ inline void store(Bfloat16& place, float x) {
    union {
        float value;
        std::uint32_t bits;
    } both;
    both.value = x;
    const std::uint32_t rounded = (both.bits + 0x7FFFU + ((both.bits >> 16) & 1U)) >> 16;
    place.bits = static_cast<std::uint16_t>(x == x ? rounded : 0x7FC0U);
}

/// The sum over the lanes of a warp, in every lane. All 32 lanes call it.
template <class T>
__device__ T warpSum(T x) {
    for (int other = kWarp / 2; other > 0; other /= 2)
        x += __shfl_xor_sync(kAllLanes, x, other);
    return x;
}

/// The largest over the lanes of a warp, in every lane; NaN if a lane has NaN. All 32 lanes call it.
template <class T>
__device__ T warpMax(T x) {
    for (int other = kWarp / 2; other > 0; other /= 2) {
        const T there = __shfl_xor_sync(kAllLanes, x, other);
        x = x != x || x > there ? x : there;
    }
    return x;
}

#ifdef __CUDACC__
/// The shared memory of this block, of the size given to launch().
template <class T>
__device__ T* sharedRoom() {
    extern __shared__ __align__(16) unsigned char room[];
    return reinterpret_cast<T*>(room);
}

/// Starts `kernel` on `stream` (a cudaStream_t). Throws std::runtime_error if it cannot be started.
template <class... P, class... A>
void launch(void (*kernel)(P...), dim3 grid, dim3 block, std::size_t sharedBytes, void* stream,
            A... arguments) {
    kernel<<<grid, block, sharedBytes, static_cast<cudaStream_t>(stream)>>>(arguments...);
    if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess)
        throw std::runtime_error(std::string("A kernel cannot be started on the GPU: ") +
                                 cudaGetErrorString(error) + ".");
}
#endif

inline unsigned blocksFor(std::int64_t count, std::int64_t perBlock) {
    return static_cast<unsigned>((count + perBlock - 1) / perBlock);
}

} // namespace headroom::models::device
