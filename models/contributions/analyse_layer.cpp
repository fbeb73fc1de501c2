// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/contributions/analyse_layer.h"

#include "models/contributions/cut_to_recording.h"
#include "models/contributions/explain_block.h"
#include "models/contributions/twin.h"
#include "models/kernels/profiles.h"
#include "models/layers/numbers.h"

#include <ATen/ops/from_blob.h>

#include <algorithm>
#include <cmath>
#include <iterator>
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

/// max |C − twin| over the drawn rows and keys (empty: all keys); where these are not all, both are divided
/// by their sum.
float gramError(const BlockWeights& block, const std::vector<GroupStep>& groups, const at::Tensor& x,
                const Matrix<float>& found, const std::vector<std::int64_t>& rows,
                const std::vector<std::int64_t>& keys) {
    const Matrix<double> expected = materialisedTwin(block, groups, x, rows, keys);
    const std::size_t columns = expected.columns();
    const bool whole = columns == found.columns();
    const std::size_t own =
        columns - (block.source.defined() ? 1 : 0); // the residual's column is the last of both
    double error = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const auto all = found.row(static_cast<std::size_t>(rows[row]));
        const auto at = [&](std::size_t j) {
            return static_cast<double>(j >= own ? all.back()
                                                : all[whole ? j : static_cast<std::size_t>(keys[j])]);
        };
        double sum = whole ? 1 : 0;
        for (std::size_t j = 0; !whole && j < columns; ++j)
            sum += at(j);
        for (std::size_t j = 0; j < columns; ++j)
            error = worse(error, std::abs(expected(row, j) - at(j) / sum));
    }
    return static_cast<float>(error);
}

/// The keys of the twin, ascending; empty: all. Of a recording in a window its own, which are shown, and some
/// of those behind it. Where these are many, a sample of them: v and u of every key in double would take a
/// tenth of an analysis.
std::vector<std::int64_t> checkedKeys(std::int64_t keys, std::int64_t own,
                                      const std::vector<std::int64_t>& rows, bool cross,
                                      const AnalysisOptions& options, int layer) {
    constexpr std::int64_t kBehind = 64;
    constexpr int kChecked = 128;
    const std::int64_t candidates = own > 0 ? std::min(own + kBehind, keys) : keys;
    const std::vector<std::int64_t> sample = drawRows(candidates, kChecked, options.seed + 1, layer);
    if (static_cast<std::int64_t>(sample.size()) == keys)
        return {};
    std::vector<std::int64_t> result;
    // A row's own token is among its keys: there stands the residual.
    std::set_union(sample.begin(), sample.end(), rows.begin(), cross ? rows.begin() : rows.end(),
                   std::back_inserter(result));
    return result;
}

/// A group's map as it is shown: as it is, or of a recording's `own` tokens, [head, query, key or
/// compressedKey].
at::Tensor shownMap(const AttentionMap& map, bool self, std::int64_t own) {
    const at::Tensor whole = denseMap(map);
    if (own == 0)
        return whole.contiguous();
    const std::int64_t rows = self ? own : whole.size(1);
    return map.form == AttentionMap::Form::Compressed ? whole.narrow(1, 0, rows).contiguous()
                                                      : cutMaps(whole, rows, own);
}

/// What the maps alone say, which exists for every kind: profiles of the heads that look at tokens, the maps
/// themselves where they are wanted.
void describeMaps(const std::vector<GroupStep>& groups, bool self, std::int64_t own,
                  const AnalysisOptions& options, LayerAnalysis& result) {
    bool relaxed = false;
    for (const GroupStep& group : groups) {
        const bool profiled = options.headProfiles && self && group.applied.form != AttentionMap::Form::Compressed;
        const bool changed = !group.raw.weights.is_same(group.applied.weights);
        relaxed = relaxed || changed;
        const std::int64_t heads = group.applied.weights.size(1);
        if (!profiled)
            result.attentionProfiles.resize(result.attentionProfiles.size() +
                                            static_cast<std::size_t>(heads));
        if (!profiled && !options.keepAttention)
            continue;
        // A cut map that nobody keeps is not written either.
        const at::Tensor whole =
            profiled && own > 0 && !options.keepAttention ? denseMap(group.applied) : at::Tensor();
        const bool sumsOnly = whole.defined() && whole.is_cpu() && whole.is_contiguous();
        const at::Tensor map = sumsOnly ? whole : shownMap(group.applied, self, own);
        // All heads in one copy.
        const at::Tensor here = options.keepAttention ? map.cpu() : map;
        const at::Tensor raw =
            options.keepAttention && changed ? shownMap(group.raw, self, own).cpu() : at::Tensor();
        const at::Tensor sums = sumsOnly   ? ownDiagonalSums(map, own)
                                : profiled ? diagonalSums(map, map.size(1)).cpu()
                                           : at::Tensor(); // [head, diagonal]
        for (std::int64_t h = 0; h < heads; ++h) {
            if (profiled)
                result.attentionProfiles.emplace_back(numbersOf(sums.select(0, h)));
            if (!options.keepAttention)
                continue;
            result.attention.push_back(matrixOf(here.select(0, h)));
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
        group.raw.weights =
            changed ? group.raw.weights.narrow(2, 0, rows).contiguous() : group.applied.weights;
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
                           const AnalysisOptions& options, const CancelFlag* cancel, std::int64_t own,
                           const BlockExplanation* known) {
    const bool cross = block.source.defined();
    const std::int64_t tokens = whole.input.size(1);
    const bool fewer = own > 0 && own < tokens && !cross;
    const std::vector<GroupStep> groups = fewer ? ofFirstQueries(whole.groups, own) : whole.groups;
    const std::int64_t queries = fewer ? groups.front().applied.weights.size(2) : tokens;
    const std::int64_t shown = own > 0 && !cross ? own : queries;
    const at::Tensor input = whole.input.narrow(1, 0, queries), output = whole.output.narrow(1, 0, queries);
    const AttentionStep step{input, output, groups};

    LayerAnalysis result;
    result.layer = layer;
    result.queries = shown;
    result.reason = reasonWithoutContributions(groups);
    describeMaps(groups, !cross, own, options, result);
    stopIfAsked(cancel);
    if (!options.explain || !result.reason.empty()) {
        if (options.explain && options.relevanceNorm > 0)
            result.headRelevance =
                matrixOf(relevanceOfHeads(block, groups, options.relevanceNorm).narrow(0, 0, shown));
        result.rebuildError = result.gramError = result.rowSumError = std::numeric_limits<float>::quiet_NaN();
        return result;
    }

    if (!options.contributions) {
        if (options.relevanceNorm > 0)
            result.headRelevance =
                matrixOf(explainedRelevance(block, step, options.relevanceNorm).narrow(0, 0, shown));
        result.rebuildError = result.gramError = result.rowSumError = std::numeric_limits<float>::quiet_NaN();
        return result;
    }

    const std::int64_t columns = groups.front().values.size(2) + (cross ? 1 : 0);
    at::Tensor storage; // on the CPU the kernel writes the result where it stays
    if (input.is_cpu()) {
        result.contributions =
            Matrix<float>(static_cast<std::size_t>(queries), static_cast<std::size_t>(columns));
        storage = at::from_blob(result.contributions.values().data(), {queries, columns}, at::kFloat);
    }
    const BlockExplanation explained = explainBlock(block, step, storage, options.relevanceNorm, known, options.errors);
    const std::vector<std::int64_t> drawn = drawRows(queries, options.checkedRows, options.seed, layer);
    if (!storage.defined() && (options.keepContributions || options.strongestPairs || !drawn.empty() || own > 0))
        result.contributions = matrixOf(explained.contributions);
    if (explained.profile.defined())
        result.contributionProfile = DiagonalProfile(numbersOf(explained.profile));
    if (explained.headRelevance.defined())
        result.headRelevance = matrixOf(explained.headRelevance.narrow(0, 0, shown));
    result.rebuildError = static_cast<float>(explained.rebuildError);
    result.rowSumError = static_cast<float>(explained.rowSumError);
    stopIfAsked(cancel);

    if (!drawn.empty())
        result.gramError =
            gramError(block, groups, whole.input, result.contributions, drawn,
                      checkedKeys(columns - (cross ? 1 : 0), own, drawn, cross, options, layer));
    if (own > 0)
        cutContributions(result, shown, own, cross);
    if (options.strongestPairs && !cross)
        result.strongest = strongestByDistance(result.contributions.view());
    if (!options.keepContributions)
        result.contributions = {};
    return result;
}

} // namespace headroom::models
