// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/dropout_passes.h"

#include "models/layers/dropout_kernels.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace headroom::models {

namespace {

/// Calls work(start, count, mask) for blocks of [0, total), on torch's threads.
template <class Work>
void forEachBlock(const DropoutDraw& draw, std::int64_t total, const Work& work) {
    constexpr std::int64_t kGrain = 1 << 15, kBlock = 1 << 11; // multiples of every vector's length
    at::parallel_for(
        0, (total + kBlock - 1) / kBlock, kGrain / kBlock, [&](std::int64_t first, std::int64_t last) {
            std::array<float, kBlock> mask;
            for (std::int64_t start = first * kBlock; start < std::min(last * kBlock, total);
                 start += kBlock) {
                const std::int64_t count = std::min(kBlock, total - start);
                // Beyond 2³² numbers the key changes, so that places do not come again.
                drawMask(mask.data(), static_cast<std::uint32_t>(start), count,
                         draw.key + static_cast<std::uint64_t>(start >> 32), draw.limit, draw.kept);
                work(start, count, mask.data());
            }
        });
}

/// Calls work with pointers of the tensors' number type. All are contiguous and of one type.
template <class Work>
void withType(const at::Tensor& tensor, const Work& work) {
    switch (tensor.scalar_type()) {
    case at::kFloat:
        return work(float());
    case at::kDouble:
        return work(double());
    case at::kBFloat16:
        return work(BFloat16());
    default:
        throw std::invalid_argument("dropout of another number type");
    }
}

template <class T>
const T* constData(const at::Tensor& tensor) {
    return static_cast<const T*>(tensor.const_data_ptr());
}
template <class T>
T* data(const at::Tensor& tensor) {
    return static_cast<T*>(tensor.mutable_data_ptr());
}

} // namespace

at::Tensor maskedOnCpu(const at::Tensor& from, const DropoutDraw& draw) {
    at::Tensor result = at::empty(from.sizes(), from.scalar_type());
    withType(from, [&](auto type) {
        using T = decltype(type);
        forEachBlock(draw, from.numel(), [&](std::int64_t start, std::int64_t count, const float* mask) {
            multiply(data<T>(result) + start, constData<T>(from) + start, mask, count);
        });
    });
    return result;
}

at::Tensor maskedToBfloat16(const at::Tensor& from, const DropoutDraw& draw) {
    at::Tensor result = at::empty(from.sizes(), at::kBFloat16);
    forEachBlock(draw, from.numel(), [&](std::int64_t start, std::int64_t count, const float* mask) {
        multiply(data<BFloat16>(result) + start, constData<float>(from) + start, mask, count);
    });
    return result;
}

void maskPositive(const at::Tensor& x, const DropoutDraw& draw) {
    withType(x, [&](auto type) {
        using T = decltype(type);
        forEachBlock(draw, x.numel(), [&](std::int64_t start, std::int64_t count, const float* mask) {
            multiplyPositive(data<T>(x) + start, mask, count);
        });
    });
}

at::Tensor keptWherePositive(const at::Tensor& from, const at::Tensor& y, float kept) {
    at::Tensor result = at::empty(y.sizes(), y.scalar_type());
    withType(y, [&](auto type) {
        using T = decltype(type);
        at::parallel_for(0, y.numel(), 1 << 15, [&](std::int64_t first, std::int64_t last) {
            multiplyWherePositive(data<T>(result) + first, constData<T>(from) + first,
                                  constData<T>(y) + first, kept, last - first);
        });
    });
    return result;
}

at::Tensor maskedAdd(const at::Tensor& from, const at::Tensor& past, const DropoutDraw& draw) {
    at::Tensor result = at::empty(past.sizes(), past.scalar_type());
    const auto add = [&](auto freshType, auto type) {
        using F = decltype(freshType);
        using T = decltype(type);
        forEachBlock(draw, from.numel(), [&](std::int64_t start, std::int64_t count, const float* mask) {
            multiplyAdd(data<T>(result) + start, constData<F>(from) + start, mask,
                        constData<T>(past) + start, count);
        });
    };
    if (from.scalar_type() == at::kBFloat16)
        add(BFloat16(), float());
    else if (from.scalar_type() == at::kFloat)
        add(float(), float());
    else
        add(double(), double());
    return result;
}

} // namespace headroom::models
