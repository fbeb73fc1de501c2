// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/attention/weighing.h"

#include "models/attention/full.h"
#include "models/kernels/banded.h"

#include <ATen/core/Tensor.h>
#include <c10/core/GradMode.h>

#include <limits>

namespace headroom::models {
namespace {

at::Tensor smoothed(const at::Tensor& scores, const at::Tensor& hidden) {
    constexpr double kFloor = 1e-9; // a row without a key is zeros, not NaN
    at::Tensor focus = scores.sigmoid();
    if (hidden.defined())
        focus = focus.masked_fill(hidden, 0);
    return focus.div(focus.sum(-1, true).add(kFloor));
}

/// Visible keys per row, at least 1, [.., 1].
at::Tensor visibleCount(const at::Tensor& hidden, at::ScalarType type) {
    return hidden.logical_not().sum(-1, true).clamp_min(1).to(type);
}

/// Counts and means need more than the eight bits of bfloat16.
at::ScalarType widened(const at::Tensor& x) {
    return x.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
}

} // namespace

at::Tensor suppressed(const at::Tensor& weights, const at::Tensor& hidden, double gamma) {
    const c10::NoGradGuard constant;
    const at::Tensor p = weights.detach().to(widened(weights));
    constexpr double kRounding = 1e-6;
    if (!hidden.defined()) {
        const auto keys = static_cast<double>(p.size(-1));
        const at::Tensor spread =
            p.sub(1 / keys).square_().sum(-1, true).div_(std::max(keys - 1, 1.0)).sqrt_();
        return p.lt(spread.mul_(-gamma).add_((1 - kRounding) / keys));
    }
    const at::Tensor keys = visibleCount(hidden, p.scalar_type());
    const at::Tensor mean = keys.reciprocal();
    const at::Tensor spread =
        p.sub(mean).square_().masked_fill_(hidden, 0).sum(-1, true).div_(keys.sub(1).clamp_min_(1)).sqrt_();
    return p.lt(mean.mul(1 - kRounding).sub(spread.mul(gamma)));
}

at::Tensor weigh(at::Tensor scores, const at::Tensor& hidden, const HeadGroup& kind) {
    if (kind.smoothed)
        return smoothed(scores, hidden);
    if (!kind.suppressed)
        return maskedSoftmax(std::move(scores), hidden);
    const at::Tensor weights = maskedSoftmax(scores.clone(), hidden);
    at::Tensor cut = suppressed(weights, hidden, *kind.suppressed);
    if (hidden.defined())
        cut = cut.logical_or(hidden);
    return maskedSoftmax(std::move(scores), cut);
}

at::Tensor weighBand(const at::Tensor& scores, const at::Tensor& hidden, const HeadGroup& kind) {
    if (kind.smoothed)
        return smoothed(scores, hidden);
    const at::Tensor weights = bandedSoftmax(scores);
    if (!kind.suppressed)
        return weights;
    return bandedSoftmax(scores.masked_fill(suppressed(weights, hidden, *kind.suppressed),
                                            -std::numeric_limits<float>::infinity()));
}

at::Tensor relaxed(const at::Tensor& weights, const at::Tensor& hidden, double gamma) {
    if (!hidden.defined())
        return weights.mul(1 - gamma).add(gamma / static_cast<double>(weights.size(-1)));
    const at::Tensor uniform =
        hidden.logical_not().to(widened(weights)).mul_(gamma).div_(visibleCount(hidden, widened(weights)));
    return weights.mul(1 - gamma).add(uniform.to(weights.scalar_type()));
}

} // namespace headroom::models
