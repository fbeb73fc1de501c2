// SPDX-License-Identifier: GPL-3.0-or-later
// Flash attention with a window, which the CPU does not have, written out.
#include "tests/far_device/copies.h"
#include "tests/far_device/counts.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/softmax.h>
#include <torch/library.h>

#include <cmath>
#include <optional>
#include <tuple>

namespace {

using headroom::far_device::far;
using headroom::far_device::near;

/// Weights of the queries in the window, and what makes them; as CUDA's flash attention has them, [batch, token, head, width].
struct Windowed {
    Windowed(const at::Tensor& q, const at::Tensor& k, std::optional<double> scale, std::optional<std::int64_t> left,
             std::optional<std::int64_t> right)
        : factor(scale.value_or(1 / std::sqrt(static_cast<double>(q.size(3))))) {
        const at::Tensor scores = at::matmul(rows(q), rows(k).transpose(2, 3)).mul_(factor);
        const at::Tensor seen = at::ones_like(scores).triu_(-left.value_or(k.size(1))).tril_(right.value_or(k.size(1)));
        weights = at::softmax(scores.masked_fill_(seen.eq(0), -INFINITY), -1);
    }
    static at::Tensor rows(const at::Tensor& x) { return near(x).to(at::kFloat).transpose(1, 2); }
    at::Tensor back(const at::Tensor& x, const at::Tensor& like) const { return far(x.transpose(1, 2).to(like.scalar_type())); }
    double factor;
    at::Tensor weights; // [batch, head, query, key]
};

std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, at::Tensor>
flash(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const std::optional<at::Tensor>&,
      const std::optional<at::Tensor>&, std::int64_t, std::int64_t, double, bool, bool, std::optional<double> scale,
      std::optional<std::int64_t> left, std::optional<std::int64_t> right, const std::optional<at::Tensor>&,
      const std::optional<at::Tensor>&) {
    headroom::far_device::countLaunch("flash_attention");
    const Windowed window(q, k, scale, left, right);
    const at::Tensor none = at::empty({0}, q.options());
    return {window.back(at::matmul(window.weights, Windowed::rows(v)), q), none, none, none, none};
}

std::tuple<at::Tensor, at::Tensor, at::Tensor>
flashBackward(const at::Tensor& gradient, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, const at::Tensor&,
              const at::Tensor&, const at::Tensor&, const at::Tensor&, std::int64_t, std::int64_t, double, bool, const at::Tensor&,
              const at::Tensor&, std::optional<double> scale, std::optional<std::int64_t> left, std::optional<std::int64_t> right) {
    headroom::far_device::countLaunch("flash_attention_backward");
    const Windowed window(q, k, scale, left, right);
    const at::Tensor& a = window.weights;
    const at::Tensor out = Windowed::rows(gradient), ofWeights = at::matmul(out, Windowed::rows(v).transpose(2, 3));
    const at::Tensor ofScores = a.mul(ofWeights.sub(ofWeights.mul(a).sum(-1, true))).mul(window.factor);
    return {window.back(at::matmul(ofScores, Windowed::rows(k)), q),
            window.back(at::matmul(ofScores.transpose(2, 3), Windowed::rows(q)), k), window.back(at::matmul(a.transpose(2, 3), out), v)};
}

TORCH_LIBRARY_IMPL(aten, PrivateUse1, library) {
    library.impl("_flash_attention_forward", &flash);
    library.impl("_flash_attention_backward", &flashBackward);
}

} // namespace
