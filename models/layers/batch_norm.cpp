// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/batch_norm.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>

namespace headroom::models {
namespace {

constexpr double kEpsilon = 1e-5;

/// Places of valid frames in [batch · frame]; undefined where every frame is.
at::Tensor validFrames(const std::vector<std::int64_t>& lengths, std::int64_t frames) {
    const bool all =
        std::all_of(lengths.begin(), lengths.end(), [&](std::int64_t length) { return length == frames; });
    if (all)
        return {};
    std::vector<std::int64_t> places;
    for (std::size_t item = 0; item < lengths.size(); ++item)
        for (std::int64_t frame = 0; frame < lengths[item]; ++frame)
            places.push_back(static_cast<std::int64_t>(item) * frames + frame);
    return at::tensor(places, at::kLong);
}

/// The share of this batch in the running statistics. Counts it.
double momentumOf(const Scope& scope) {
    if (!scope.has(kBatchesSeen))
        return kBatchNormMomentum;
    const at::Tensor seen = scope[kBatchesSeen].add_(1);
    return std::max(kBatchNormMomentum, 1 / seen.item<double>());
}

} // namespace

at::Tensor batchNorm(const Scope& scope, const at::Tensor& x, const std::vector<std::int64_t>& lengths,
                     bool training) {
    const auto normalised = [&](const at::Tensor& values) {
        // One value of a channel has no variance: it is judged by those before it and teaches nothing.
        const bool learns = training && values.numel() > values.size(1);
        return at::batch_norm(values, scope["weight"], scope["bias"], scope["running_mean"],
                              scope["running_var"], learns, learns ? momentumOf(scope) : 0, kEpsilon, false);
    };
    const at::Tensor valid = training ? validFrames(lengths, x.size(2)) : at::Tensor();
    if (!valid.defined())
        return normalised(x);
    const at::Tensor byFrame = x.transpose(1, 2).contiguous(); // [batch, frame, channel, …]
    const at::Tensor rows = byFrame.flatten(0, 1);             // [batch · frame, channel, …]
    const at::Tensor kept = normalised(rows.index_select(0, valid));
    return at::zeros_like(rows, kept.scalar_type())
        .index_copy(0, valid, kept)
        .view(byFrame.sizes())
        .transpose(1, 2);
}

} // namespace headroom::models
