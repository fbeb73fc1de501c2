// SPDX-License-Identifier: GPL-3.0-or-later
// LibTorch describes these operations for device meta in Python only. Here they are for the tests: shapes, no numbers.
#include <ATen/core/Tensor.h>
#include <ATen/ExpandUtils.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <torch/library.h>

#include <array>
#include <optional>
#include <tuple>

namespace headroom::testing::meta_operations {
namespace {

using at::Tensor;
using Maybe = const std::optional<Tensor>&;
using Three = std::tuple<Tensor, Tensor, Tensor>;

Tensor convolution(const Tensor& x, const Tensor& weight, Maybe, at::SymIntArrayRef stride, at::SymIntArrayRef padding,
                   at::SymIntArrayRef dilation, bool, at::SymIntArrayRef, c10::SymInt) {
    std::vector<std::int64_t> shape{x.size(0), weight.size(0)};
    for (std::int64_t i = 2; i < x.dim(); ++i) {
        const auto at = static_cast<std::size_t>(i) - 2;
        const std::int64_t reach = dilation[at].expect_int() * (weight.size(i) - 1) + 1;
        shape.push_back((x.size(i) + 2 * padding[at].expect_int() - reach) / stride[at].expect_int() + 1);
    }
    return at::empty(shape, x.options());
}

Three convolutionBackward(const Tensor& grad, const Tensor& x, const Tensor& weight, at::SymIntArrayRef,
                          at::SymIntArrayRef, at::SymIntArrayRef, bool, at::SymIntArrayRef, c10::SymInt,
                          std::array<bool, 3>) {
    return {at::empty_like(x), at::empty_like(weight), at::empty({weight.size(0)}, grad.options())};
}

Three layerNorm(const Tensor& x, at::SymIntArrayRef normed, Maybe, Maybe, double) {
    auto rows = x.sizes().vec();
    for (std::size_t i = 0; i < normed.size(); ++i)
        rows[rows.size() - 1 - i] = 1;
    return {at::empty(x.sizes(), x.options()), at::empty(rows, x.options()), at::empty(rows, x.options())};
}

Three layerNormBackward(const Tensor&, const Tensor& x, at::SymIntArrayRef, const Tensor&, const Tensor&, Maybe weight,
                        Maybe bias, std::array<bool, 3>) {
    return {at::empty_like(x), weight && weight->defined() ? at::empty_like(*weight) : Tensor(),
            bias && bias->defined() ? at::empty_like(*bias) : Tensor()};
}

Three groupNorm(const Tensor& x, Maybe, Maybe, c10::SymInt batch, c10::SymInt, c10::SymInt, std::int64_t groups,
                double) {
    const Tensor rows = at::empty({batch.expect_int(), groups}, x.options());
    return {at::empty(x.sizes(), x.options()), rows, at::empty_like(rows)};
}

Three groupNormBackward(const Tensor&, const Tensor& x, const Tensor&, const Tensor&, Maybe weight, c10::SymInt,
                        c10::SymInt channels, c10::SymInt, std::int64_t, std::array<bool, 3>) {
    const Tensor one = at::empty({channels.expect_int()}, weight && weight->defined() ? weight->options() : x.options());
    return {at::empty_like(x), one, at::empty_like(one)};
}

Tensor chosen(const Tensor& condition, const Tensor& a, const Tensor& b) {
    const auto shape = at::infer_size_dimvector(at::infer_size_dimvector(condition.sizes(), a.sizes()), b.sizes());
    return at::empty(shape, (a.dim() > 0 ? a : b).options());
}

Tensor& whereInto(const Tensor& condition, const Tensor& a, const Tensor& b, Tensor& out) {
    return out.resize_(chosen(condition, a, b).sizes()), out;
}

Tensor indexSelect(const Tensor& x, std::int64_t dimension, const Tensor& index) {
    auto shape = x.sizes().vec();
    shape[static_cast<std::size_t>(dimension < 0 ? dimension + x.dim() : dimension)] = index.numel();
    return at::empty(shape, x.options());
}

Tensor unfoldBackward(const Tensor& grad, at::SymIntArrayRef sizes, std::int64_t, std::int64_t, std::int64_t) {
    std::vector<std::int64_t> shape;
    for (const auto& size : sizes)
        shape.push_back(size.expect_int());
    return at::empty(shape, grad.options());
}

Tensor gluBackward(const Tensor&, const Tensor& x, std::int64_t) {
    return at::empty_like(x);
}

Tensor relu(const Tensor& x) {
    return at::empty_like(x);
}

Tensor& reluInPlace(Tensor& x) {
    return x;
}

Tensor& logicalNot(const Tensor& x, Tensor& out) {
    return out.resize_(x.sizes()), out;
}

Tensor& logicalOr(const Tensor& a, const Tensor& b, Tensor& out) {
    return out.resize_(at::infer_size_dimvector(a.sizes(), b.sizes())), out;
}

Three batchNorm(const Tensor& x, Maybe, Maybe, Maybe, Maybe, bool, double, double) {
    const Tensor none = at::empty({0}, x.options());
    return {at::empty_like(x), none, none};
}

Tensor flip(const Tensor& x, at::IntArrayRef) {
    return at::empty(x.sizes(), x.options());
}

Tensor embeddingBackward(const Tensor& grad, const Tensor&, c10::SymInt rows, c10::SymInt, bool) {
    return at::empty({rows.expect_int(), grad.size(-1)}, grad.options());
}

void fusedAdamw(at::TensorList, at::TensorList, at::TensorList, at::TensorList, at::TensorList, at::TensorList, double, double,
                double, double, double, bool, bool, Maybe, Maybe) {}

} // namespace

TORCH_LIBRARY_IMPL(aten, Meta, library) {
    library.impl("convolution_overrideable", convolution);
    library.impl("convolution_backward_overrideable", convolutionBackward);
    library.impl("native_layer_norm", layerNorm);
    library.impl("native_layer_norm_backward", layerNormBackward);
    library.impl("native_group_norm", groupNorm);
    library.impl("native_group_norm_backward", groupNormBackward);
    library.impl("where.self", chosen);
    library.impl("where.self_out", whereInto);
    library.impl("index_select", indexSelect);
    library.impl("unfold_backward", unfoldBackward);
    library.impl("glu_backward", gluBackward);
    library.impl("flip", flip);
    library.impl("logical_not.out", logicalNot);
    library.impl("logical_or.out", logicalOr);
    library.impl("native_batch_norm", batchNorm);
    library.impl("relu", relu);
    library.impl("relu_", reluInPlace);
    library.impl("embedding_dense_backward", embeddingBackward);
    library.impl("_fused_adamw_", fusedAdamw);
}

} // namespace headroom::testing::meta_operations
