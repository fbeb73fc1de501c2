// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/kernels/device_code.h"
#include "models/kernels/dropout_device.h"

namespace headroom::models::device {
namespace {

constexpr int kDropoutThreads = 256;
constexpr std::int64_t kOfThread = 4; ///< numbers, a block apart

/// mixed() of models/layers/dropout_kernels.cpp.
__device__ inline std::uint32_t mixedBits(std::uint32_t x) {
    x ^= x >> 16;
    x *= 0x7FEB352DU;
    x ^= x >> 15;
    x *= 0x846CA68BU;
    return x ^ (x >> 16);
}

template <class T>
__global__ void dropNumbers(const T* x, T* y, std::int64_t count, std::uint64_t key, std::uint32_t limit,
                            float kept) {
    const std::int64_t first =
        static_cast<std::int64_t>(blockIdx.x) * kDropoutThreads * kOfThread + threadIdx.x;
    HEADROOM_UNROLL
    for (std::int64_t n = 0; n < kOfThread; ++n) {
        const std::int64_t place = first + n * kDropoutThreads;
        if (place >= count)
            return;
        // Beyond 2³² numbers the key changes, so that places do not come again.
        const std::uint64_t own = key + static_cast<std::uint64_t>(place >> 32);
        const auto low = static_cast<std::uint32_t>(own), high = static_cast<std::uint32_t>(own >> 32);
        const std::uint32_t drawn =
            mixedBits(mixedBits(static_cast<std::uint32_t>(place) * 0x9E3779B9U + low) ^ high);
        store(y[place], wide(x[place]) * (drawn < limit ? 0.0F : kept));
    }
}

} // namespace

template <class T>
void launchDropout(const T* x, T* y, std::int64_t count, std::uint64_t key, std::uint32_t limit, float kept,
                   void* stream) {
    if (count > 0)
        launch(dropNumbers<T>, dim3(blocksFor(count, kDropoutThreads * kOfThread)), dim3(kDropoutThreads), 0,
               stream, x, y, count, key, limit, kept);
}

template void launchDropout(const float*, float*, std::int64_t, std::uint64_t, std::uint32_t, float, void*);
template void launchDropout(const double*, double*, std::int64_t, std::uint64_t, std::uint32_t, float, void*);
template void launchDropout(const Bfloat16*, Bfloat16*, std::int64_t, std::uint64_t, std::uint32_t, float,
                            void*);

} // namespace headroom::models::device
