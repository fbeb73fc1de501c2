// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/dropout_mask.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>

#include <algorithm>
#include <vector>

namespace headroom::models {
namespace {

constexpr std::int64_t kLow = 0xFFFFFFFF; ///< 32 bits in numbers of 64: products wrap, and the lower half is exact

at::Tensor shiftedIn(const at::Tensor& x, std::int64_t bits) {
    return x.bitwise_xor(x.bitwise_right_shift(bits));
}

/// mixed() of dropout_kernels.cpp.
at::Tensor mixedNumbers(at::Tensor x) {
    x = shiftedIn(x, 16).mul_(std::int64_t(0x7FEB352D)).bitwise_and_(kLow);
    x = shiftedIn(x, 15).mul_(std::int64_t(0x846CA68B)).bitwise_and_(kLow);
    return shiftedIn(x, 16);
}

} // namespace

at::Tensor dropoutMask(const at::Tensor& like, std::uint64_t key, std::uint32_t limit, float kept) {
    constexpr std::int64_t kPlaces = std::int64_t(1) << 32; // beyond them the key changes
    const auto numbers = like.options().dtype(at::kLong).requires_grad(false);
    std::vector<at::Tensor> parts;
    for (std::int64_t first = 0; first < std::max<std::int64_t>(like.numel(), 1); first += kPlaces, ++key) {
        const auto low = static_cast<std::int64_t>(key & kLow), high = static_cast<std::int64_t>(key >> 32);
        const at::Tensor place = at::arange(std::min(like.numel() - first, kPlaces), numbers);
        const at::Tensor drawn =
            mixedNumbers(mixedNumbers(place.mul(std::int64_t(0x9E3779B9)).add_(low).bitwise_and_(kLow))
                             .bitwise_xor(high));
        parts.push_back(drawn.ge(static_cast<std::int64_t>(limit)).to(like.scalar_type()).mul_(kept));
    }
    return (parts.size() == 1 ? parts.front() : at::cat(parts)).view(like.sizes());
}

} // namespace headroom::models
