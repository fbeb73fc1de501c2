// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/dropout.h"

#include "models/kernels/device_operators.h"
#include "models/layers/dropout_kernels.h"
#include "models/layers/dropout_mask.h"

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/relu.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <stdexcept>

namespace headroom::models {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// What decides a mask.
struct Draw {
    std::uint64_t key = 0;
    std::uint32_t limit = 0; ///< a share of 2³²
    float kept = 1;

    static Draw next(double share) {
        at::Generator generator = at::globalContext().defaultGenerator(at::kCPU);
        auto* cpu = at::check_generator<at::CPUGeneratorImpl>(generator);
        const std::lock_guard guard(cpu->mutex_);
        return {cpu->random64(), static_cast<std::uint32_t>(share * 4294967296.0),
                static_cast<float>(1 / (1 - share))};
    }
    void save(AutogradContext* context) const {
        context->saved_data["key"] = static_cast<std::int64_t>(key);
        context->saved_data["limit"] = static_cast<std::int64_t>(limit);
        context->saved_data["kept"] = static_cast<double>(kept);
    }
    static Draw saved(AutogradContext* context) {
        return {static_cast<std::uint64_t>(context->saved_data["key"].toInt()),
                static_cast<std::uint32_t>(context->saved_data["limit"].toInt()),
                static_cast<float>(context->saved_data["kept"].toDouble())};
    }
};

/// Calls work(start, count, mask) for blocks of [0, total), on torch's threads.
template <class Work>
void forEachBlock(const Draw& draw, std::int64_t total, const Work& work) {
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

at::Tensor masked(const at::Tensor& x, const Draw& draw) {
    if (!x.is_cpu() && hasDeviceKernels(x) && x.scalar_type() != at::kHalf)
        return device::maskedByDropout(x, draw.key, draw.limit, draw.kept);
    if (!x.is_cpu())
        return x.mul(dropoutMask(x, draw.key, draw.limit, draw.kept));
    const at::Tensor from = x.contiguous();
    at::Tensor result = at::empty(x.sizes(), x.scalar_type());
    withType(from, [&](auto type) {
        using T = decltype(type);
        forEachBlock(draw, from.numel(), [&](std::int64_t start, std::int64_t count, const float* mask) {
            multiply(data<T>(result) + start, constData<T>(from) + start, mask, count);
        });
    });
    return result;
}

struct Masked : torch::autograd::Function<Masked> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const Draw& draw) {
        draw.save(context);
        return masked(x, draw);
    }
    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        return {masked(gradients[0], Draw::saved(context)), at::Tensor()};
    }
};

struct MaskedRelu : torch::autograd::Function<MaskedRelu> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const Draw& draw) {
        draw.save(context);
        withType(x, [&](auto type) {
            using T = decltype(type);
            forEachBlock(draw, x.numel(), [&](std::int64_t start, std::int64_t count, const float* mask) {
                multiplyPositive(data<T>(x) + start, mask, count);
            });
        });
        context->mark_dirty({x});
        context->save_for_backward({x});
        return x;
    }
    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const at::Tensor y = context->get_saved_variables()[0], from = gradients[0].contiguous();
        const float kept = Draw::saved(context).kept; // where y is positive, and nowhere else
        at::Tensor result = at::empty(y.sizes(), y.scalar_type());
        withType(y, [&](auto type) {
            using T = decltype(type);
            at::parallel_for(0, y.numel(), 1 << 15, [&](std::int64_t first, std::int64_t last) {
                multiplyWherePositive(data<T>(result) + first, constData<T>(from) + first,
                                      constData<T>(y) + first, kept, last - first);
            });
        });
        return {result, at::Tensor()};
    }
};

struct AddMasked : torch::autograd::Function<AddMasked> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& fresh, const at::Tensor& x,
                              const Draw& draw) {
        draw.save(context);
        context->saved_data["type"] = static_cast<std::int64_t>(fresh.scalar_type());
        const at::Tensor from = fresh.contiguous(), past = x.contiguous();
        at::Tensor result = at::empty(past.sizes(), past.scalar_type());
        const auto add = [&](auto freshType, auto type) {
            using F = decltype(freshType);
            using T = decltype(type);
            forEachBlock(draw, from.numel(), [&](std::int64_t start, std::int64_t count, const float* mask) {
                multiplyAdd(data<T>(result) + start, constData<F>(from) + start, mask,
                            constData<T>(past) + start, count);
            });
        };
        if (fresh.scalar_type() == at::kBFloat16)
            add(BFloat16(), float());
        else if (fresh.scalar_type() == at::kFloat)
            add(float(), float());
        else
            add(double(), double());
        return result;
    }
    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const auto type = static_cast<at::ScalarType>(context->saved_data["type"].toInt());
        const Draw draw = Draw::saved(context);
        const at::Tensor from = gradients[0].contiguous();
        if (type != at::kBFloat16)
            return {masked(from, draw), gradients[0], at::Tensor()};
        at::Tensor result = at::empty(from.sizes(), at::kBFloat16);
        forEachBlock(draw, from.numel(), [&](std::int64_t start, std::int64_t count, const float* mask) {
            multiply(data<BFloat16>(result) + start, constData<float>(from) + start, mask, count);
        });
        return {result, gradients[0], at::Tensor()};
    }
};

} // namespace

at::Tensor dropped(const at::Tensor& x, double share) {
    return share > 0 ? Masked::apply(x, Draw::next(share)) : x;
}

at::Tensor reluDropped(at::Tensor fresh, double share) {
    return share > 0 && fresh.is_contiguous() && fresh.is_cpu() ? MaskedRelu::apply(fresh, Draw::next(share))
                                              : dropped(fresh.relu(), share);
}

at::Tensor addResidual(at::Tensor fresh, const at::Tensor& x) {
    return fresh.scalar_type() == x.scalar_type() ? fresh.add_(x) : fresh.add(x);
}

at::Tensor addDropped(at::Tensor fresh, const at::Tensor& x, double share) {
    const auto from = fresh.scalar_type(), to = x.scalar_type();
    const bool together = fresh.is_cpu() && ((from == to && (to == at::kFloat || to == at::kDouble)) ||
                          (from == at::kBFloat16 && to == at::kFloat));
    if (share > 0 && together && fresh.sizes() == x.sizes())
        return AddMasked::apply(fresh, x, Draw::next(share));
    return addResidual(dropped(fresh, share), x);
}

} // namespace headroom::models
