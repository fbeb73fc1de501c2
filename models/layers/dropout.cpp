// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/dropout.h"

#include "models/kernels/device_operators.h"
#include "models/layers/dropout_mask.h"
#include "models/layers/dropout_passes.h"

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/relu.h>
#include <torch/csrc/autograd/custom_function.h>

#include <mutex>

namespace headroom::models {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

DropoutDraw nextDraw(double share) {
    at::Generator generator = at::globalContext().defaultGenerator(at::kCPU);
    auto* cpu = at::check_generator<at::CPUGeneratorImpl>(generator);
    const std::lock_guard guard(cpu->mutex_);
    return {cpu->random64(), static_cast<std::uint32_t>(share * 4294967296.0), static_cast<float>(1 / (1 - share))};
}

void save(const DropoutDraw& draw, AutogradContext* context) {
    context->saved_data["key"] = static_cast<std::int64_t>(draw.key);
    context->saved_data["limit"] = static_cast<std::int64_t>(draw.limit);
    context->saved_data["kept"] = static_cast<double>(draw.kept);
}

DropoutDraw savedDraw(AutogradContext* context) {
    return {static_cast<std::uint64_t>(context->saved_data["key"].toInt()),
            static_cast<std::uint32_t>(context->saved_data["limit"].toInt()),
            static_cast<float>(context->saved_data["kept"].toDouble())};
}

at::Tensor masked(const at::Tensor& x, const DropoutDraw& draw) {
    if (!x.is_cpu() && hasDeviceKernels(x) && x.scalar_type() != at::kHalf)
        return device::maskedByDropout(x, draw.key, draw.limit, draw.kept);
    if (!x.is_cpu()) { // the product is rounded once, as on the CPU
        const at::Tensor wide = x.scalar_type() == at::kBFloat16 ? x.to(at::kFloat) : x;
        return wide.mul(dropoutMask(wide, draw.key, draw.limit, draw.kept)).to(x.scalar_type());
    }
    return maskedOnCpu(x.contiguous(), draw);
}

struct Masked : torch::autograd::Function<Masked> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const DropoutDraw& draw) {
        save(draw, context);
        return masked(x, draw);
    }
    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        return {masked(gradients[0], savedDraw(context)), at::Tensor()};
    }
};

struct MaskedRelu : torch::autograd::Function<MaskedRelu> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const DropoutDraw& draw) {
        save(draw, context);
        maskPositive(x, draw);
        context->mark_dirty({x});
        context->save_for_backward({x});
        return x;
    }
    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const at::Tensor y = context->get_saved_variables()[0], from = gradients[0].contiguous();
        const float kept = savedDraw(context).kept; // where y is positive, and nowhere else
        return {keptWherePositive(from, y, kept), at::Tensor()};
    }
};

struct AddMasked : torch::autograd::Function<AddMasked> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& fresh, const at::Tensor& x,
                              const DropoutDraw& draw) {
        save(draw, context);
        context->saved_data["type"] = static_cast<std::int64_t>(fresh.scalar_type());
        return maskedAdd(fresh.contiguous(), x.contiguous(), draw);
    }
    static variable_list backward(AutogradContext* context, const variable_list& gradients) {
        const auto type = static_cast<at::ScalarType>(context->saved_data["type"].toInt());
        const DropoutDraw draw = savedDraw(context);
        const at::Tensor from = gradients[0].contiguous();
        if (type != at::kBFloat16)
            return {masked(from, draw), gradients[0], at::Tensor()};
        return {maskedToBfloat16(from, draw), gradients[0], at::Tensor()};
    }
};

} // namespace

at::Tensor dropped(const at::Tensor& x, double share) {
    return share > 0 ? Masked::apply(x, nextDraw(share)) : x;
}

at::Tensor reluDropped(at::Tensor fresh, double share) {
    return share > 0 && fresh.is_contiguous() && fresh.is_cpu() ? MaskedRelu::apply(fresh, nextDraw(share))
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
        return AddMasked::apply(fresh, x, nextDraw(share));
    return addResidual(dropped(fresh, share), x);
}

} // namespace headroom::models
