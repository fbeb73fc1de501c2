// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/dropout.h"

#include "models/kernels/vector_clones.h"

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <mutex>

namespace headroom::models {

namespace {

HEADROOM_INLINE std::uint32_t mixed(std::uint32_t x) {
    x ^= x >> 16;
    x *= 0x7FEB352DU;
    x ^= x >> 15;
    x *= 0x846CA68BU;
    return x ^ (x >> 16);
}

/// mask[i] is `kept`, or 0 where the number that key and place give is below `limit` (a share of 2³²).
HEADROOM_VECTOR_CLONES
void drawMask(float* mask, std::uint32_t first, std::uint32_t count, std::uint64_t key, std::uint32_t limit,
              float kept) {
    const auto low = static_cast<std::uint32_t>(key), high = static_cast<std::uint32_t>(key >> 32);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t drawn = mixed(mixed((first + i) * 0x9E3779B9U + low) ^ high);
        mask[i] = drawn < limit ? 0.0F : kept;
    }
}

std::uint64_t nextKey() {
    at::Generator generator = at::globalContext().defaultGenerator(at::kCPU);
    auto* cpu = at::check_generator<at::CPUGeneratorImpl>(generator);
    const std::lock_guard guard(cpu->mutex_);
    return cpu->random64();
}

} // namespace

at::Tensor dropped(const at::Tensor& x, double share) {
    if (share <= 0)
        return x;
    const auto limit = static_cast<std::uint32_t>(share * 4294967296.0);
    const auto kept = static_cast<float>(1 / (1 - share));
    const std::uint64_t key = nextKey();
    at::Tensor mask = at::empty(x.sizes(), at::kFloat);
    auto* values = mask.mutable_data_ptr<float>();
    constexpr std::int64_t kGrain = 1 << 15; // a multiple of every vector's length
    at::parallel_for(0, mask.numel(), kGrain, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t start = begin; start < end; start += kGrain) {
            const std::int64_t count = std::min(kGrain, end - start);
            // Beyond 2³² numbers the key changes, so that places do not come again.
            drawMask(values + start, static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(count),
                     key + static_cast<std::uint64_t>(start >> 32), limit, kept);
        }
    });
    return x.mul(x.scalar_type() == at::kFloat ? mask : mask.to(x.scalar_type()));
}

at::Tensor addResidual(at::Tensor fresh, const at::Tensor& x) {
    return fresh.scalar_type() == x.scalar_type() ? fresh.add_(x) : fresh.add(x);
}

} // namespace headroom::models
