// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/inference_linear.h"

#include "models/layers/autocast.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/Tensor.h>

#include <string_view>

namespace headroom::models {
namespace {

constexpr std::int64_t kFewestRows = 64, kSmallestWeight = 512 * 512;

/// oneDNN's product with what follows it, as LibTorch's own compiler calls it. It has no function in ATen's
/// headers.
using LinearPointwise = at::Tensor(const at::Tensor&, const at::Tensor&, const std::optional<at::Tensor>&,
                                   std::string_view, c10::List<std::optional<at::Scalar>>,
                                   std::optional<std::string_view>);

const std::optional<c10::TypedOperatorHandle<LinearPointwise>>& linearPointwise() {
    static const auto found = []() -> std::optional<c10::TypedOperatorHandle<LinearPointwise>> {
        const auto schema = c10::Dispatcher::singleton().findSchema({"mkldnn::_linear_pointwise", ""});
        if (!schema || !schema->hasKernelForDispatchKey(c10::DispatchKey::CPU))
            return std::nullopt;
        return schema->typed<LinearPointwise>();
    }();
    return found;
}

bool applies(const at::Tensor& x, const at::Tensor& weight) {
    return infersOnCpu(x) && weight.scalar_type() == at::kFloat && weight.is_contiguous() &&
           x.numel() >= kFewestRows * x.size(-1) && weight.numel() >= kSmallestWeight;
}

std::string_view nameOf(const std::optional<Activation>& activation) {
    if (!activation)
        return "none";
    switch (*activation) {
    case Activation::Relu:
        return "relu";
    case Activation::Swish:
        return "swish";
    case Activation::Gelu:
    case Activation::GeluTanh:
        break;
    }
    return "gelu";
}

} // namespace

at::Tensor inferenceLinear(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                           std::optional<Activation> activation) {
    if (!applies(x, weight) || !linearPointwise())
        return {};
    const std::optional<at::Tensor> added = bias.defined() ? std::optional(bias) : std::nullopt;
    return linearPointwise()->call(x.contiguous(), weight, added, nameOf(activation),
                                   c10::List<std::optional<at::Scalar>>(),
                                   activation == Activation::GeluTanh ? "tanh" : "none");
}

} // namespace headroom::models
