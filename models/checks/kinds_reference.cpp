// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checks/kinds_reference.h"

#include "models/attention/relative.h"
#include "models/attention/rotary.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/einsum.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <ATen/TensorAccessor.h>

#include <algorithm>
#include <cmath>

namespace headroom::models {
namespace {

using Lengths = std::vector<std::int64_t>;

at::Tensor projection(const Scope& scope, const at::Tensor& x) {
    return scope.has("bias") ? at::linear(x, scope["weight"], scope["bias"]) : at::linear(x, scope["weight"]);
}

at::Tensor heads(const at::Tensor& x, std::int64_t count) { // → [batch, head, token, channel]
    return x.view({x.size(0), x.size(1), count, x.size(2) / count}).transpose(1, 2);
}

at::Tensor norm(const Scope& scope, const at::Tensor& x) {
    const at::Tensor centred = x.sub(x.mean(-1, true));
    const at::Tensor variance = centred.mul(centred).mean(-1, true);
    return centred.div(variance.add(1e-5).sqrt()).mul(scope["weight"]).add(scope["bias"]);
}

std::int64_t keysOf(const HeadGroup& kind, std::int64_t tokens) {
    if (kind.kind != HeadKind::Conv)
        return tokens;
    const std::int64_t padding =
        kind.convForm == ConvForm::Speechformer ? kind.convKernel / 2 : kind.convStride / 2;
    const double places =
        std::floor(static_cast<double>(tokens + 2 * padding - kind.convKernel) / kind.convStride);
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(places) + 1);
}

bool mayLook(const HeadGroup& kind, std::int64_t i, std::int64_t j, std::int64_t keys) {
    switch (kind.kind) {
    case HeadKind::Local:
        return j < keys && std::abs(i - j) <= kind.window / 2;
    case HeadKind::LocalBlock:
        return j < keys && std::abs(i / (kind.window / 3) - j / (kind.window / 3)) <= 1;
    case HeadKind::Masked:
        return j <= i && (kind.window == 0 || i - j <= kind.window / 2);
    default:
        return j < keys;
    }
}

/// 1 where a query may see a key, else 0: [batch, 1, query, key].
at::Tensor visible(const HeadGroup& kind, const Lengths& lengths, std::int64_t queries, std::int64_t keys) {
    const auto batch = static_cast<std::int64_t>(lengths.size());
    at::Tensor mask = at::zeros({batch, 1, queries, keys}, at::kDouble);
    auto at = mask.accessor<double, 4>();
    for (std::int64_t n = 0; n < batch; ++n)
        for (std::int64_t i = 0; i < queries; ++i)
            for (std::int64_t j = 0; j < keys; ++j)
                if (mayLook(kind, i, j, keysOf(kind, lengths[static_cast<std::size_t>(n)])))
                    at[n][0][i][j] = 1;
    return mask;
}

at::Tensor softmax(const at::Tensor& scores, const at::Tensor& mask) {
    constexpr double kNever = -1e300;
    const at::Tensor largest = scores.detach().masked_fill(mask.eq(0), kNever).amax(-1, true);
    const at::Tensor e = scores.sub(largest).masked_fill(mask.eq(0), kNever).exp();
    const at::Tensor sum = e.mul(mask).sum(-1, true);
    return e.mul(mask).div(sum.add(sum.eq(0)));
}

/// Shim et al. 2022, §3.3: keys below mean − γ · standard deviation, but for rounding.
at::Tensor survivors(const at::Tensor& map, const at::Tensor& mask, double gamma) {
    const at::NoGradGuard constant;
    const at::Tensor count = mask.sum(-1, true).clamp_min(1), mean = count.reciprocal();
    const at::Tensor deviation =
        map.sub(mean).mul(mask).pow(2).sum(-1, true).div(count.sub(1).clamp_min(1)).sqrt();
    return map.ge(mean.mul(1 - 1e-6).sub(deviation.mul(gamma))).to(at::kDouble).mul(mask);
}

at::Tensor rawMap(const HeadGroup& kind, const at::Tensor& scores, const at::Tensor& mask) {
    if (kind.smoothed) {
        const at::Tensor focus = scores.neg().exp().add(1).reciprocal().mul(mask);
        return focus.div(focus.sum(-1, true).add(1e-9));
    }
    const at::Tensor map = softmax(scores, mask);
    return kind.suppressed ? softmax(scores, survivors(map, mask, *kind.suppressed)) : map;
}

/// Lohrenz et al. 2022, Eq. 4.
at::Tensor relaxedMap(const HeadGroup& kind, const at::Tensor& map, const at::Tensor& mask, bool training) {
    if (!kind.relaxed || !(training || relaxesAtInference(kind)))
        return map;
    return map.mul(1 - *kind.relaxed).add(mask.div(mask.sum(-1, true).clamp_min(1)).mul(*kind.relaxed));
}

/// Rows beyond a recording's length set to 0, x [batch, .., token, channel].
at::Tensor withoutPadding(const at::Tensor& x, const Lengths& lengths) {
    at::Tensor mask = at::zeros({x.size(0), x.size(-2), 1}, at::kDouble);
    for (std::int64_t n = 0; n < x.size(0); ++n)
        mask[n].narrow(0, 0, lengths[static_cast<std::size_t>(n)]).fill_(1);
    return x.mul(x.dim() == 4 ? mask.unsqueeze(1) : mask);
}

/// y_m = Σ_t x_{stride · m + t − padding} taps_t + bias for `count` places, nothing beyond the ends; x [..,
/// token, in], taps [tap, in, out].
at::Tensor convolved(const at::Tensor& x, const at::Tensor& taps, const at::Tensor& bias, std::int64_t stride,
                     std::int64_t padding, std::int64_t count) {
    std::vector<at::Tensor> places;
    for (std::int64_t m = 0; m < count; ++m) {
        at::Tensor sum = bias.expand({x.numel() / (x.size(-1) * x.size(-2)), bias.size(0)});
        for (std::int64_t t = 0; t < taps.size(0); ++t) {
            const std::int64_t token = stride * m + t - padding;
            if (token >= 0 && token < x.size(-2))
                sum = sum.add(at::matmul(x.select(-2, token).reshape({-1, x.size(-1)}), taps[t]));
        }
        places.push_back(sum);
    }
    std::vector<std::int64_t> shape = x.sizes().vec();
    shape[shape.size() - 2] = count;
    shape.back() = bias.size(0);
    return at::stack(places, 1).view(shape);
}

at::Tensor tapsOf(const Scope& convolution) { // [out, in, tap] → [tap, in, out]
    return convolution["weight"].permute({2, 1, 0});
}
at::Tensor diagonalTaps(const Scope& convolution) { // [channel, 1, tap] → [tap, channel, channel]
    return convolution["weight"].squeeze(1).t().diag_embed();
}

/// Keys or values of a ConvAttention group in Multiformer's form.
at::Tensor shortened(const Scope& convolution, const HeadGroup& kind, const at::Tensor& x,
                     const Lengths& lengths) {
    const std::int64_t count = keysOf(kind, x.size(2)), padding = kind.convStride / 2;
    const at::Tensor clean = withoutPadding(x, lengths);
    if (kind.convForm == ConvForm::Normal)
        return convolved(clean, tapsOf(convolution), convolution["bias"], kind.convStride, padding, count);
    if (kind.convForm != ConvForm::Separable)
        return convolved(clean, diagonalTaps(convolution), convolution["bias"], kind.convStride, padding,
                         count);
    const Scope first = convolution / 0, second = convolution / 1;
    return convolved(convolved(clean, diagonalTaps(first), first["bias"], kind.convStride, padding, count),
                     tapsOf(second), second["bias"], 1, 0, count);
}

at::Tensor shortenedInput(const Scope& convolution, const HeadGroup& kind, const at::Tensor& x,
                          const Lengths& lengths) {
    const at::Tensor both = convolved(withoutPadding(x, lengths), tapsOf(convolution), convolution["bias"],
                                      kind.convStride, kind.convKernel / 2, keysOf(kind, x.size(1)));
    const std::int64_t width = both.size(2) / 2;
    return both.narrow(2, 0, width).mul(both.narrow(2, width, width).neg().exp().add(1).reciprocal());
}

/// Transformer-XL's (q + v) · p_{i − j}, of the heads `first` … : [batch, head, query, key].
at::Tensor offsetScores(const Scope& attention, const at::Tensor& q, std::int64_t first) {
    const std::int64_t tokens = q.size(2), count = q.size(1), channels = q.size(3);
    const at::Tensor table = relativePositions(tokens - 1, attention["linear_pos.weight"].size(1), true);
    const at::Tensor p = at::linear(table, attention["linear_pos.weight"])
                             .view({2 * tokens - 1, -1, channels})
                             .narrow(1, first, count); // row r is offset i − j = tokens − 1 − r
    const at::Tensor biased = q.add(attention["pos_bias_v"].narrow(0, first, count).unsqueeze(1));
    std::vector<at::Tensor> rows;
    for (std::int64_t i = 0; i < tokens; ++i)
        rows.push_back(
            at::einsum("nhc,jhc->nhj", {biased.select(2, i), p.narrow(0, tokens - 1 - i, tokens)}));
    return at::stack(rows, 2);
}

/// The same as ESPnet computed it before 2021, of every recording by itself: a square of scores whose column c has place
/// last − c gets a column of zeros in front, is read as [T + 1, T], and loses its first row.
at::Tensor legacyScores(const Scope& attention, const at::Tensor& q, std::int64_t first, const Lengths& lengths,
                        bool placesInDouble) {
    const std::int64_t tokens = q.size(2), count = q.size(1), channels = q.size(3);
    const at::Tensor &weight = attention["linear_pos.weight"], v = attention["pos_bias_v"].narrow(0, first, count).unsqueeze(1);
    std::vector<at::Tensor> recordings;
    for (std::size_t n = 0; n < lengths.size(); ++n) {
        const std::int64_t own = lengths[n];
        const at::Tensor table = relativeLegacyPositions(own - 1, weight.size(1), own, placesInDouble).narrow(0, 0, own);
        const at::Tensor p = at::linear(table.to(at::kDouble), weight).view({own, -1, channels}).narrow(1, first, count);
        const at::Tensor biased = q.select(0, static_cast<std::int64_t>(n)).narrow(1, 0, own).add(v);
        const at::Tensor square = at::einsum("hic,jhc->hij", {biased, p});
        const at::Tensor shifted = at::constant_pad_nd(square, {1, 0}).reshape({count, own + 1, own}).narrow(1, 1, own);
        recordings.push_back(at::constant_pad_nd(shifted, {0, tokens - own, 0, tokens - own}));
    }
    return at::stack(recordings, 0);
}

} // namespace

at::Tensor KindsReference::block(const at::Tensor& x, std::vector<at::Tensor>& kept) const {
    const Scope attention = layer / "self_attn", normed = layer / "self_attn_layer_norm";
    const at::Tensor input = plan.postNorm ? x : norm(normed, x);
    const std::int64_t tokens = x.size(1), channels = plan.headWidth();
    const double scale = 1 / std::sqrt(static_cast<double>(channels));
    std::vector<at::Tensor> mixed;
    if (plan.reuses) {
        const at::Tensor v = heads(projection(attention / "v_proj", input), plan.heads);
        std::int64_t first = 0;
        for (const at::Tensor& map : kept) {
            const at::Tensor mask = map.detach().ne(0).to(at::kDouble);
            mixed.push_back(at::matmul(relaxedMap(plan.groups.front(), map, mask, training),
                                       v.narrow(1, first, map.size(1))));
            first += map.size(1);
        }
    } else {
        kept.clear();
        std::int64_t first = 0;
        for (std::size_t number = 0; number < plan.groups.size(); ++number) {
            const HeadGroup& kind = plan.groups[number];
            const Scope group = attention / "groups" / static_cast<int>(number);
            const bool ownInput = kind.convForm == ConvForm::Speechformer;
            const at::Tensor source = ownInput ? shortenedInput(group / "conv", kind, input, lengths) : input;
            const auto project = [&](const char* name, const at::Tensor& from) {
                return heads(projection(attention / name, from), plan.heads).narrow(1, first, kind.count);
            };
            at::Tensor q = project("q_proj", input), k = project("k_proj", source),
                       v = project("v_proj", source);
            if (plan.positions == AttentionPositions::Rotary) {
                const at::Tensor table = rotaryPositions(0, tokens, channels);
                q = rotated(q, table);
                k = rotated(k, table);
            }
            if (kind.kind == HeadKind::Conv && !ownInput) {
                k = shortened(group / "conv_k", kind, k, lengths);
                v = shortened(group / "conv_v", kind, v, lengths);
            }
            at::Tensor scores;
            const bool legacy = plan.positions == AttentionPositions::RelativeLegacy;
            if (legacy || plan.positions == AttentionPositions::Relative) {
                const at::Tensor u = attention["pos_bias_u"].narrow(0, first, kind.count).unsqueeze(1);
                const at::Tensor ofOffsets = legacy ? legacyScores(attention, q, first, lengths, placesInDouble)
                                                    : offsetScores(attention, q, first);
                scores = at::matmul(q.add(u), k.transpose(2, 3)).add(ofOffsets).mul(scale);
            } else {
                scores = at::matmul(q, k.transpose(2, 3)).mul(scale);
            }
            const at::Tensor mask = visible(kind, lengths, tokens, k.size(2));
            const at::Tensor map = rawMap(kind, scores, mask);
            kept.push_back(map);
            mixed.push_back(at::matmul(relaxedMap(kind, map, mask, training), v));
            first += kind.count;
        }
    }
    const at::Tensor joined = at::cat(mixed, 1).transpose(1, 2).reshape({x.size(0), tokens, -1});
    const at::Tensor output = x.add(projection(attention / "out_proj", joined));
    return plan.postNorm ? norm(normed, output) : output;
}

} // namespace headroom::models
