// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/contributions/analyse_layer.h"

#include "models/contributions/explain_block.h"
#include "models/contributions/twin.h"
#include "models/kernels/profiles.h"
#include "models/layers/numbers.h"

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

std::vector<double> numbersOf(const at::Tensor& row) {
    const at::Tensor numbers = row.cpu();
    const auto* data = numbers.const_data_ptr<double>();
    return {data, data + numbers.numel()};
}

/// max |C − twin| over the drawn rows.
float gramError(const BlockWeights& block, const std::vector<GroupStep>& groups, const at::Tensor& x,
                const Matrix<float>& found, const std::vector<std::int64_t>& rows) {
    const Matrix<double> expected = materialisedTwin(block, groups, x, rows);
    double error = 0;
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (std::size_t j = 0; j < expected.columns(); ++j)
            error =
                worse(error, std::abs(expected(row, j) -
                                      static_cast<double>(found(static_cast<std::size_t>(rows[row]), j))));
    return static_cast<float>(error);
}

/// What the maps alone say, which exists for every kind: profiles of the heads that look at tokens, the maps
/// themselves where they are wanted.
void describeMaps(const std::vector<GroupStep>& groups, bool self, const AnalysisOptions& options,
                  LayerAnalysis& result) {
    bool relaxed = false;
    for (const GroupStep& group : groups) {
        const at::Tensor map = denseMap(group.applied).contiguous(); // [head, query, key or compressedKey]
        const bool ofTokens = self && group.applied.form != AttentionMap::Form::Compressed;
        // Of fewer queries than keys: of the square in front, as a row of the rest has no diagonal.
        const at::Tensor square = ofTokens ? map.narrow(2, 0, map.size(1)).contiguous() : at::Tensor();
        const at::Tensor sums = ofTokens ? diagonalSums(square, map.size(1)) : at::Tensor(); // [head, diagonal]
        const bool changed = !group.raw.weights.is_same(group.applied.weights);
        const at::Tensor raw = options.keepAttention && changed ? denseMap(group.raw) : at::Tensor();
        relaxed = relaxed || changed;
        for (std::int64_t h = 0; h < map.size(0); ++h) {
            result.attentionProfiles.push_back(ofTokens ? DiagonalProfile(numbersOf(sums.select(0, h)))
                                                        : DiagonalProfile());
            if (!options.keepAttention)
                continue;
            result.attention.push_back(matrixOf(map.select(0, h)));
            result.rawAttention.push_back(raw.defined() ? matrixOf(raw.select(0, h)) : Matrix<float>());
        }
    }
    if (!relaxed)
        result.rawAttention.clear();
}

/// The groups with the maps of their first queries only, if all of these are dense; else as they are.
std::vector<GroupStep> ofFirstQueries(std::vector<GroupStep> groups, std::int64_t rows) {
    for (const GroupStep& group : groups)
        if (group.applied.form != AttentionMap::Form::Dense || group.raw.form != AttentionMap::Form::Dense)
            return groups;
    for (GroupStep& group : groups) {
        const bool changed = !group.raw.weights.is_same(group.applied.weights);
        group.applied.weights = group.applied.weights.narrow(2, 0, rows).contiguous();
        group.raw.weights = changed ? group.raw.weights.narrow(2, 0, rows).contiguous() : group.applied.weights;
    }
    return groups;
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

LayerAnalysis analyseLayer(const BlockWeights& block, int layer, const AttentionStep& whole,
                           const AnalysisOptions& options, const CancelFlag* cancel, std::int64_t rows) {
    const bool cross = block.source.defined();
    const std::int64_t tokens = whole.input.size(1);
    const bool fewer = rows > 0 && rows < tokens && !cross;
    const std::vector<GroupStep> groups = fewer ? ofFirstQueries(whole.groups, rows) : whole.groups;
    const std::int64_t queries = fewer ? groups.front().applied.weights.size(2) : tokens;
    const at::Tensor input = whole.input.narrow(1, 0, queries), output = whole.output.narrow(1, 0, queries);
    const AttentionStep step{input, output, groups};

    LayerAnalysis result;
    result.layer = layer;
    result.queries = queries;
    result.reason = reasonWithoutContributions(groups);
    describeMaps(groups, !cross, options, result);
    stopIfAsked(cancel);
    if (!options.explain || !result.reason.empty()) {
        if (options.explain && options.relevanceNorm > 0)
            result.headRelevance = matrixOf(relevanceOfHeads(block, groups, options.relevanceNorm));
        result.rebuildError = result.gramError = result.rowSumError = std::numeric_limits<float>::quiet_NaN();
        return result;
    }

    const std::int64_t columns = groups.front().values.size(2) + (cross ? 1 : 0);
    at::Tensor storage; // on the CPU the kernel writes the result where it stays
    if (input.is_cpu()) {
        result.contributions = Matrix<float>(static_cast<std::size_t>(queries), static_cast<std::size_t>(columns));
        storage = at::from_blob(result.contributions.values().data(), {queries, columns}, at::kFloat);
    }
    const BlockExplanation explained = explainBlock(block, step, storage, options.relevanceNorm);
    if (!storage.defined())
        result.contributions = matrixOf(explained.contributions);
    if (explained.profile.defined())
        result.contributionProfile = DiagonalProfile(numbersOf(explained.profile));
    if (explained.headRelevance.defined())
        result.headRelevance = matrixOf(explained.headRelevance);
    result.rebuildError = static_cast<float>(explained.rebuildError);
    result.rowSumError = static_cast<float>(explained.rowSumError);
    stopIfAsked(cancel);

    const std::vector<std::int64_t> drawn = drawRows(queries, options.checkedRows, options.seed, layer);
    if (!drawn.empty())
        result.gramError = gramError(block, groups, whole.input, result.contributions, drawn);
    if (!options.keepContributions)
        result.contributions = {};
    return result;
}

} // namespace headroom::models
