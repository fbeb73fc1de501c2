// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/batch_norm.h"

#include "models/layers/device.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <limits>

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

std::vector<std::int64_t> allButChannels(const at::Tensor& x) {
    std::vector<std::int64_t> dimensions;
    for (std::int64_t i = 0; i < x.dim(); ++i)
        if (i != 1)
            dimensions.push_back(i);
    return dimensions;
}

at::Tensor channelSums(const at::Tensor& x) { // [channel], double
    return x.sum(allButChannels(x), false, at::kDouble);
}

/// [channel] as [1, channel, 1, …] beside `x`, in `type`.
at::Tensor beside(const at::Tensor& numbers, const at::Tensor& x, at::ScalarType type) {
    std::vector<std::int64_t> shape(static_cast<std::size_t>(x.dim()), 1);
    shape[1] = x.size(1);
    return numbers.to(type).view(shape);
}

/// The type in which numbers of `x` are computed.
at::ScalarType computedIn(const at::Tensor& x) {
    return x.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
}

/// Mean and variance of a batch that may be spread over processes.
struct BatchStatistics {
    at::Tensor mean, variance; ///< biased // [channel], double
    at::Tensor count;          ///< values of a channel, double, without a dimension; stays on the device
    /// Whether there are two values or more: 1 or 0. One value has no variance: it is judged by those before it and teaches
    /// nothing.
    at::Tensor teaches;
};

BatchStatistics statisticsOf(const at::Tensor& values, const SharedStatistics* shared) {
    const c10::NoGradGuard constant;
    const double own = static_cast<double>(values.numel()) / static_cast<double>(values.size(1));
    const at::Tensor wide = values.to(at::kDouble);
    at::Tensor sums =
        at::cat({channelSums(wide), channelSums(wide.square()), at::full({1}, own, wide.options())});
    if (shared) {
        if (!shared->counts)
            sums.zero_();
        shared->sum(sums);
    }
    const std::int64_t channels = values.size(1);
    BatchStatistics result;
    result.count = sums[2 * channels];
    result.teaches = result.count.ge(2).to(at::kDouble);
    const at::Tensor divisor = result.count.clamp_min(1);
    result.mean = sums.narrow(0, 0, channels).div(divisor);
    result.variance = sums.narrow(0, channels, channels).div(divisor).sub(result.mean.square()).clamp_min_(0);
    return result;
}

/// (x − mean) / √(variance + ε) · weight + bias, where mean and variance are those of all x. `count`: of how many values; infinite
/// where they are not of x.
struct Normalised : torch::autograd::Function<Normalised> {
    using Context = torch::autograd::AutogradContext;

    static at::Tensor forward(Context* context, const at::Tensor& x, const at::Tensor& weight,
                              const at::Tensor& bias, const at::Tensor& mean, const at::Tensor& scale,
                              const at::Tensor& count, const SharedStatistics* shared) {
        context->save_for_backward({x, weight, mean, scale, count});
        context->saved_data["shared"] = reinterpret_cast<std::int64_t>(shared);
        const at::ScalarType type = computedIn(x);
        return centred(x, mean, scale, type)
            .mul_(beside(weight, x, type))
            .add_(beside(bias, x, type))
            .to(x.scalar_type());
    }

    static torch::autograd::variable_list backward(Context* context, torch::autograd::variable_list gradients) {
        const auto saved = context->get_saved_variables();
        const at::Tensor &x = saved[0], &weight = saved[1];
        const at::Tensor& count = saved[4];
        const auto* shared = reinterpret_cast<const SharedStatistics*>(context->saved_data["shared"].toInt());
        const at::ScalarType type = computedIn(x);
        const at::Tensor g = gradients[0].to(type), normed = centred(x, saved[2], saved[3], type);
        const at::Tensor own = at::stack({channelSums(g), channelSums(g.mul(normed))}); // [2, channel]
        at::Tensor sums = own.clone();
        if (shared) {
            if (!shared->counts)
                sums.zero_();
            shared->sum(sums);
        }
        at::Tensor moved = g;
        if (!shared || shared->counts)
            moved = g.sub(beside(sums[0].div(count), x, type)).sub_(normed.mul(beside(sums[1].div(count), x, type)));
        const at::Tensor slope = beside(weight.to(at::kDouble).mul(saved[3]), x, type);
        return {moved.mul(slope).to(x.scalar_type()),
                own[1].to(weight.scalar_type()),
                own[0].to(weight.scalar_type()),
                {},
                {},
                {},
                {}};
    }

private:
    static at::Tensor centred(const at::Tensor& x, const at::Tensor& mean, const at::Tensor& scale,
                              at::ScalarType type) {
        return x.to(type).sub(beside(mean, x, type)).mul_(beside(scale, x, type));
    }
};

/// As momentumOf and at::batch_norm, without reading a number back from the device.
void updateRunning(const Scope& scope, const BatchStatistics& batch) {
    const c10::NoGradGuard constant;
    const at::Tensor& mean = scope["running_mean"];
    at::Tensor share = at::full({1}, kBatchNormMomentum, mean.options());
    if (scope.has(kBatchesSeen)) {
        const at::Tensor& seen = scope[kBatchesSeen];
        const at::Tensor count = seen.add_(batch.teaches.to(seen.scalar_type())).clamp_min(1);
        share = count.reciprocal().clamp_min(kBatchNormMomentum).to(mean.scalar_type());
    }
    share = share.mul(batch.teaches.to(mean.scalar_type()));
    mean.lerp_(batch.mean.to(mean.scalar_type()), share);
    const at::Tensor unbiased = batch.variance.mul(batch.count.div(batch.count.sub(1).clamp_min(1)));
    scope["running_var"].lerp_(unbiased.to(mean.scalar_type()), share);
}

/// BatchNorm in training by parts: for several processes, and for devices other than the CPU.
at::Tensor normalisedByParts(const Scope& scope, const at::Tensor& values, const SharedStatistics* shared) {
    const BatchStatistics batch = statisticsOf(values, shared);
    updateRunning(scope, batch);
    const at::Tensor isBatch = batch.teaches.ne(0);
    const auto chosen = [&](const at::Tensor& own, const char* running) {
        return at::where(isBatch, own, scope[running].detach().to(at::kDouble));
    };
    return Normalised::apply(values, scope["weight"], scope["bias"], chosen(batch.mean, "running_mean"),
                             chosen(batch.variance, "running_var").add(kEpsilon).rsqrt(),
                             batch.count.masked_fill(isBatch.logical_not(), std::numeric_limits<double>::infinity()), shared);
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
                     bool training, const SharedStatistics* shared) {
    const auto normalised = [&](const at::Tensor& values) {
        if (training && (shared || !values.is_cpu()))
            return normalisedByParts(scope, values, shared);
        // One value of a channel has no variance: it is judged by those before it and teaches nothing.
        const bool learns = training && values.numel() > values.size(1);
        return at::batch_norm(values, scope["weight"], scope["bias"], scope["running_mean"],
                              scope["running_var"], learns, learns ? momentumOf(scope) : 0, kEpsilon, false);
    };
    at::Tensor valid = training ? validFrames(lengths, x.size(2)) : at::Tensor();
    if (!valid.defined())
        return normalised(x);
    valid = sent(valid, x.device());
    const at::Tensor byFrame = x.transpose(1, 2).contiguous(); // [batch, frame, channel, …]
    const at::Tensor rows = byFrame.flatten(0, 1);             // [batch · frame, channel, …]
    const at::Tensor kept = normalised(rows.index_select(0, valid));
    return at::zeros_like(rows, kept.scalar_type())
        .index_copy(0, valid, kept)
        .view(byFrame.sizes())
        .transpose(1, 2);
}

} // namespace headroom::models
