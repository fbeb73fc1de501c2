// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/models/attention/attention_oracle.h"

#include "core/architecture/weight_shapes.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/glu.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <map>

namespace headroom::testing {

using models::AttentionPlan;
using models::AttentionPositions;
using models::Scope;

namespace {

at::Tensor affine(const Scope& scope, const at::Tensor& x, std::int64_t first = 0, std::int64_t count = -1) {
    const at::Tensor weight = scope["weight"].narrow(0, first, count < 0 ? scope["weight"].size(0) : count);
    const at::Tensor y = at::matmul(x, weight.t());
    return scope.has("bias") ? y.add(scope["bias"].narrow(0, first, weight.size(0))) : y;
}

/// y_m = Σ_t W_t x_{s·m + t − p} + b over the tokens there are; `weight` [out, in, tap].
at::Tensor convolved(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias, int stride,
                     int padding, std::int64_t keys) {
    std::vector<at::Tensor> rows;
    for (std::int64_t m = 0; m < keys; ++m) {
        at::Tensor sum = bias;
        for (std::int64_t t = 0; t < weight.size(2); ++t) {
            const std::int64_t token = stride * m + t - padding;
            if (token >= 0 && token < x.size(0))
                sum = sum.add(at::matmul(weight.select(2, t), x[token]));
        }
        rows.push_back(sum);
    }
    return at::stack(rows);
}

at::Tensor diagonal(const at::Tensor& depthwise) { // [channel, 1, tap] → [channel, channel, tap]
    return depthwise.squeeze(1).t().diag_embed().permute({1, 2, 0});
}

std::int64_t keysLeft(const HeadGroup& kind, std::int64_t tokens, int padding) {
    const double room = static_cast<double>(tokens + 2 * padding - kind.convKernel);
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::floor(room / kind.convStride)) + 1);
}

at::Tensor shortened(const Scope& convolution, const HeadGroup& kind, const at::Tensor& x) {
    const int padding = kind.convStride / 2;
    const std::int64_t keys = keysLeft(kind, x.size(0), padding);
    if (kind.convForm == ConvForm::Separable) {
        const Scope first = convolution / 0, second = convolution / 1;
        const at::Tensor rows =
            convolved(x, diagonal(first["weight"]), first["bias"], kind.convStride, padding, keys);
        return at::matmul(rows, second["weight"].squeeze(2).t()).add(second["bias"]);
    }
    const at::Tensor& weight = convolution["weight"];
    return convolved(x, kind.convForm == ConvForm::Normal ? weight : diagonal(weight), convolution["bias"],
                     kind.convStride, padding, keys);
}

at::Tensor turned(const at::Tensor& x) { // rotary, pair by pair
    std::vector<at::Tensor> columns;
    const at::Tensor token = at::arange(x.size(0), at::kDouble);
    for (std::int64_t c = 0; c < x.size(1); c += 2) {
        const at::Tensor angle =
            token.mul(std::pow(10000.0, -static_cast<double>(c) / static_cast<double>(x.size(1))));
        const at::Tensor even = x.select(1, c), odd = x.select(1, c + 1);
        columns.push_back(even.mul(angle.cos()).sub(odd.mul(angle.sin())));
        columns.push_back(even.mul(angle.sin()).add(odd.mul(angle.cos())));
    }
    return at::stack(columns, 1);
}

/// (q_i + v) · p_{i − j}.
at::Tensor offsetScores(const Scope& attention, const at::Tensor& q, std::int64_t head) {
    const std::int64_t tokens = q.size(0), channels = q.size(1);
    const std::int64_t width = attention["linear_pos.weight"].size(1);
    at::Tensor table = at::zeros({2 * tokens - 1, width}, at::kDouble),
               index = at::zeros({tokens, tokens}, at::kLong);
    for (std::int64_t r = 0; r < 2 * tokens - 1; ++r) // offsets −(N − 1) … N − 1
        for (std::int64_t k = 0; k < width; ++k) {
            const double angle =
                static_cast<double>(r - tokens + 1) *
                std::pow(10000.0, -static_cast<double>(k / 2 * 2) / static_cast<double>(width));
            table[r][k] = k % 2 ? std::cos(angle) : std::sin(angle);
        }
    for (std::int64_t i = 0; i < tokens; ++i)
        for (std::int64_t j = 0; j < tokens; ++j)
            index[i][j] = i - j + tokens - 1;
    const at::Tensor positions =
        at::matmul(table, attention["linear_pos.weight"].narrow(0, head * channels, channels).t());
    return at::gather(at::matmul(q.add(attention["pos_bias_v"][head]), positions.t()), 1, index);
}

at::Tensor softmaxOver(const at::Tensor& scores, const at::Tensor& visible) {
    const at::Tensor powers = scores.sub(scores.detach().amax(-1, true)).exp().mul(visible);
    return powers.div(powers.sum(-1, true));
}

/// Scores to the weights before relaxation; `visible` 1 or 0.
at::Tensor weights(const HeadGroup& kind, const at::Tensor& scores, const at::Tensor& visible) {
    if (kind.smoothed) {
        const at::Tensor focus = scores.sigmoid().mul(visible);
        return focus.div(focus.sum(-1, true).add(1e-9));
    }
    const at::Tensor first = softmaxOver(scores, visible);
    if (!kind.suppressed)
        return first;
    at::Tensor kept = visible.clone();
    for (std::int64_t i = 0; i < first.size(0); ++i) {
        double count = 0, squares = 0;
        for (std::int64_t j = 0; j < first.size(1); ++j)
            count += visible[i][j].item<double>();
        for (std::int64_t j = 0; j < first.size(1); ++j)
            if (visible[i][j].item<double>() > 0)
                squares += std::pow(first[i][j].item<double>() - 1 / count, 2);
        const double spread = count > 1 ? std::sqrt(squares / (count - 1)) : 0;
        for (std::int64_t j = 0; j < first.size(1); ++j)
            if (first[i][j].item<double>() < 1 / count - *kind.suppressed * spread)
                kept[i][j] = 0;
    }
    return softmaxOver(scores, kept);
}

at::Tensor visibleKeys(const HeadGroup& kind, std::int64_t tokens, std::int64_t keys) {
    at::Tensor visible = at::ones({tokens, keys}, at::kDouble);
    if (kind.kind == HeadKind::Conv)
        return visible;
    for (std::int64_t i = 0; i < tokens; ++i)
        for (std::int64_t j = 0; j < keys; ++j)
            visible[i][j] = sees(kind, i, j, tokens) ? 1 : 0;
    return visible;
}

struct OracleMap {
    at::Tensor weights, visible;
};

at::Tensor relaxedBy(const HeadGroup& kind, const OracleMap& map, bool training) {
    if (!kind.relaxed || (!training && !kind.relaxedMatched))
        return map.weights;
    const double gamma = *kind.relaxed;
    return map.weights.mul(1 - gamma).add(map.visible.mul(gamma).div(map.visible.sum(-1, true)));
}

} // namespace

bool sees(const HeadGroup& kind, std::int64_t i, std::int64_t j, std::int64_t tokens) {
    if (j < 0 || j >= tokens)
        return false;
    switch (kind.kind) {
    case HeadKind::Masked:
        return j <= i;
    case HeadKind::Local:
        return std::abs(i - j) <= kind.window / 2;
    case HeadKind::LocalBlock:
        return std::abs(i / (kind.window / 3) - j / (kind.window / 3)) <= 1;
    default:
        return true;
    }
}

at::Tensor randomNumbers(at::IntArrayRef shape, unsigned long seed) {
    return at::randn(shape, at::detail::createCPUGenerator(seed), at::kDouble);
}

MadeAttention::MadeAttention(const std::vector<std::string>& layers, const Options& options) {
    Architecture::Encoder encoder;
    encoder.width = options.width;
    encoder.positions = options.positions;
    encoder.norm = options.norm;
    encoder.queryKeyValueBias = options.bias;
    for (const std::string& heads : layers)
        encoder.layers.push_back({parseHeads(heads)});
    plans = models::attentionPlans(encoder, "made");
    unsigned long seed = options.seed * 1000;
    for (const AttentionPlan& plan : plans) {
        const std::string layer = std::to_string(plan.layer - 1) + ".";
        for (const WeightShape& tensor : attentionShapes(encoder, plan.layer)) {
            const double spread =
                tensor.shape.size() > 1 ? std::sqrt(static_cast<double>(tensor.shape.back())) : 2;
            parameters.set(layer + tensor.name, randomNumbers(tensor.shape, ++seed).mul(1.5 / spread));
        }
        for (const char* name : {"weight", "bias"})
            parameters.set(layer + "self_attn_layer_norm." + name,
                           randomNumbers({plan.width}, ++seed).mul(0.2).add(name[0] == 'w' ? 1 : 0));
    }
}

at::Tensor MadeAttention::run(const at::Tensor& x, models::AttentionContext& context,
                              const models::AttentionObserver& observe,
                              const models::Dropout& dropout) const {
    at::Tensor y = x;
    for (const AttentionPlan& plan : plans)
        y = models::selfAttentionBlock(Scope(parameters) / (plan.layer - 1), y, plan, context, observe,
                                       dropout);
    return y;
}

at::Tensor MadeAttention::oracle(const at::Tensor& input, bool training) const {
    at::Tensor x = input;
    std::map<int, std::vector<OracleMap>> kept;
    for (const AttentionPlan& plan : plans) {
        const Scope layer = Scope(parameters) / (plan.layer - 1), attention = layer / "self_attn";
        const auto normed = [&](const at::Tensor& y) {
            const Scope norm = layer / "self_attn_layer_norm";
            return at::layer_norm(y, {plan.width}, norm["weight"], norm["bias"], 1e-5);
        };
        const at::Tensor in = plan.postNorm ? x : normed(x);
        const std::int64_t channels = plan.headWidth(), tokens = x.size(0);
        std::vector<at::Tensor> outputs;
        std::int64_t head = 0;
        for (std::size_t number = 0; number < plan.groups.size(); ++number)
            for (int member = 0; member < plan.groups[number].count; ++member, ++head) {
                const HeadGroup& kind = plan.groups[number];
                const auto project = [&](const char* name, const at::Tensor& source, std::int64_t width) {
                    return affine(attention / name, source, head * width, width);
                };
                if (plan.reuses) {
                    const OracleMap& map = kept.at(plan.reuses)[static_cast<std::size_t>(head)];
                    outputs.push_back(
                        at::matmul(relaxedBy(kind, map, training), project("v_proj", in, 2 * channels)));
                    continue;
                }
                const Scope group = attention / "groups" / static_cast<int>(number);
                at::Tensor source = in;
                if (kind.convForm == ConvForm::Speechformer)
                    source = at::glu(convolved(in, (group / "conv")["weight"], (group / "conv")["bias"],
                                               kind.convStride, kind.convKernel / 2,
                                               keysLeft(kind, tokens, kind.convKernel / 2)),
                                     1);
                at::Tensor q = project("q_proj", in, channels), k = project("k_proj", source, channels),
                           v = project("v_proj", source, channels);
                if (kind.kind == HeadKind::Conv && kind.convForm != ConvForm::Speechformer) {
                    k = shortened(group / "conv_k", kind, k);
                    v = shortened(group / "conv_v", kind, v);
                }
                if (plan.positions == AttentionPositions::Rotary) {
                    q = turned(q);
                    k = turned(k);
                }
                at::Tensor scores;
                if (plan.positions == AttentionPositions::Relative)
                    scores = at::matmul(q.add(attention["pos_bias_u"][head]), k.t())
                                 .add(offsetScores(attention, q, head));
                else
                    scores = at::matmul(q, k.t());
                scores = scores.div(std::sqrt(static_cast<double>(channels)));
                OracleMap map;
                map.visible = visibleKeys(kind, tokens, k.size(0));
                map.weights = weights(kind, scores, map.visible);
                kept[plan.layer].push_back(map);
                outputs.push_back(at::matmul(relaxedBy(kind, map, training), v));
            }
        x = x.add(affine(attention / "out_proj", at::cat(outputs, 1)));
        if (plan.postNorm)
            x = normed(x);
    }
    return x;
}

} // namespace headroom::testing
