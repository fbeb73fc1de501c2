// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/contributions/layer_analysis.h"

#include "models/attention/local.h"
#include "models/kernels/contributions.h"
#include "models/kernels/profiles.h"
#include "models/layers/basic.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace headroom::models {
namespace {

void stopIfAsked(const CancelFlag* cancel) {
    if (cancel && cancel->load(std::memory_order_relaxed))
        throw Cancelled();
}

/// The larger of two errors, where NaN is larger than everything: a map of NaN must not look right.
double worse(double a, double b) {
    if (std::isnan(a) || std::isnan(b))
        return std::numeric_limits<double>::infinity();
    return std::max(a, b);
}

float largest(const at::Tensor& differences) {
    const double value = differences.abs().max().item<double>(); // NaN wins in ATen's max
    return static_cast<float>(worse(0, value));
}

std::vector<double> numbersOf(const at::Tensor& row) {
    const auto* data = row.const_data_ptr<double>();
    return {data, data + row.numel()};
}

/// max |C − twin| over the drawn rows. The twin starts at x: LayerNorm, v and u in double.
float gramError(const Scope& scope, const at::Tensor& x, const at::Tensor& attention,
                const Matrix<float>& found, const std::vector<std::int64_t>& rows) {
    const Scope block = scope / "self_attn";
    Parameters inDouble;
    inDouble.set("norm.weight", scope["self_attn_layer_norm.weight"].to(at::kDouble));
    inDouble.set("norm.bias", scope["self_attn_layer_norm.bias"].to(at::kDouble));
    inDouble.set("value.weight", block["v_proj.weight"].to(at::kDouble));
    if (block.has("v_proj.bias"))
        inDouble.set("value.bias", block["v_proj.bias"].to(at::kDouble));
    const Scope twin(inDouble);
    const at::Tensor input = x.to(at::kDouble); // [token, width]
    const at::Tensor values = linear(twin / "value", layerNorm(twin / "norm", input))
                                  .view({x.size(0), attention.size(0), -1})
                                  .transpose(0, 1); // [head, token, headWidth]
    // Only the drawn queries of the map are needed in double.
    const auto index = at::from_blob(const_cast<std::int64_t*>(rows.data()),
                                     {static_cast<std::int64_t>(rows.size())}, at::kLong);
    const Matrix<double> expected = referenceContributions(attention.index_select(1, index), values,
                                                           block["out_proj.weight"], input, rows);
    double error = 0;
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (std::size_t j = 0; j < expected.columns(); ++j)
            error = worse(error, std::abs(expected(row, j) - found(static_cast<std::size_t>(rows[row]), j)));
    return static_cast<float>(error);
}

} // namespace

std::vector<std::int64_t> drawRows(std::int64_t tokens, int count, std::uint64_t seed, int layer) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(tokens));
    std::iota(all.begin(), all.end(), 0);
    std::mt19937_64 generator(seed * 1'000'003 + static_cast<std::uint64_t>(layer));
    // Fisher–Yates with the generator's own bits: std::shuffle and std::sample differ between libraries.
    const std::size_t drawn = std::min<std::size_t>(all.size(), static_cast<std::size_t>(std::max(count, 0)));
    for (std::size_t i = 0; i < drawn; ++i)
        std::swap(all[i], all[i + generator() % (all.size() - i)]);
    all.resize(drawn);
    std::sort(all.begin(), all.end());
    return all;
}

LayerAnalysis analyseLayer(const Scope& scope, int layer, const std::vector<int>& windows,
                           const AttentionStep& step, const AnalysisOptions& options,
                           const CancelFlag* cancel) {
    const at::Tensor attention = step.attention.squeeze(0).contiguous(); // [head, query, key]
    const at::Tensor x = step.input.squeeze(0).contiguous();             // [token, width]
    const std::int64_t heads = attention.size(0), tokens = attention.size(1);
    const std::int64_t reach = reachOf(windows, tokens);
    const auto rows = static_cast<std::size_t>(tokens);
    const Scope block = scope / "self_attn";

    LayerAnalysis result;
    result.layer = layer;
    const at::Tensor transformed =
        transformedValues(step.values.squeeze(0), block["out_proj.weight"]); // [head, token, width]
    result.contributions = Matrix<float>(rows, rows);
    at::Tensor matrix = at::from_blob(result.contributions.values().data(), {tokens, tokens}, at::kFloat);
    at::Tensor profile = at::empty({2 * tokens - 1}, at::kDouble);
    contributions(attention, transformed, x, reach, matrix, profile);
    result.contributionProfile = DiagonalProfile(numbersOf(profile));
    stopIfAsked(cancel);

    const at::Tensor sums = diagonalSums(attention, reach); // [head, diagonal]
    for (std::int64_t h = 0; h < heads; ++h)
        result.attentionProfiles.emplace_back(numbersOf(sums.select(0, h)));

    at::Tensor perHead =
        at::bmm(attention, transformed); // Σ_j A^h_ij u^h_j = W_O^h z^h_i   // [head, query, width]
    const at::Tensor strength = perHead.norm(2, -1).t(); // [query, head]
    result.headRelevance = Matrix<float>(rows, static_cast<std::size_t>(heads));
    at::from_blob(result.headRelevance.values().data(), {tokens, heads}, at::kFloat)
        .copy_(strength.div(strength.sum(-1, true).clamp_min(std::numeric_limits<float>::min())));
    at::Tensor rebuilt = perHead.sum(0).add_(x); // [query, width]
    if (block.has("out_proj.bias"))
        rebuilt.add_(block["out_proj.bias"]);
    result.rebuildError = largest(rebuilt.sub_(step.output.squeeze(0)));
    stopIfAsked(cancel);

    result.rowSumError = largest(matrix.sum(-1, false, at::kDouble).sub_(1.0));
    const std::vector<std::int64_t> drawn = drawRows(tokens, options.checkedRows, options.seed, layer);
    if (!drawn.empty())
        result.gramError = gramError(scope, x, attention, result.contributions, drawn);

    if (options.keepAttention)
        for (std::int64_t h = 0; h < heads; ++h) {
            const at::Tensor map = attention.select(0, h);
            const auto* data = map.const_data_ptr<float>();
            result.attention.emplace_back(rows, rows, std::vector<float>(data, data + map.numel()));
        }
    if (!options.keepContributions)
        result.contributions = {};
    return result;
}

} // namespace headroom::models
