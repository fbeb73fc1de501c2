// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/analysis/analysis_arrays.h"

#include "core/analysis/diagonality.h"
#include "core/statistics/undefined.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace headroom::training {

namespace {

nlohmann::json numberOrNull(double value) {
    return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

Tensor attentionProfiles(const std::vector<DiagonalProfile>& heads, std::int64_t tokens) {
    const auto width = static_cast<std::size_t>(2 * tokens - 1);
    std::vector<double> values(heads.size() * width, kUndefined);
    for (std::size_t head = 0; head < heads.size(); ++head)
        if (heads[head].size() == tokens)
            std::copy(heads[head].sums().begin(), heads[head].sums().end(),
                      values.begin() + std::ptrdiff_t(head * width));
    return Tensor::of<double>({std::int64_t(heads.size()), std::int64_t(width)}, values);
}

std::string headPrefix(const std::string& prefix, std::size_t head) {
    return prefix + "head." + std::to_string(head + 1) + ".";
}

/// All heads in one array where their maps are of one size; cross-attention's [head, target, token] too.
void addAttention(std::vector<NamedTensor>& arrays, const models::LayerAnalysis& block,
                  const std::string& prefix, bool together) {
    const auto& heads = block.attention;
    if (!together) {
        for (std::size_t head = 0; head < heads.size(); ++head)
            arrays.emplace_back(headPrefix(prefix, head) + "attention", tensorOf(heads[head]));
    } else {
        std::vector<float> values;
        values.reserve(heads.size() * heads.front().values().size());
        for (const auto& map : heads)
            values.insert(values.end(), map.values().begin(), map.values().end());
        arrays.emplace_back(prefix + "attention",
                            Tensor::of<float>({std::int64_t(heads.size()), std::int64_t(heads.front().rows()),
                                               std::int64_t(heads.front().columns())},
                                              values));
    }
    for (std::size_t head = 0; head < block.rawAttention.size(); ++head)
        if (!block.rawAttention[head].empty())
            arrays.emplace_back(headPrefix(prefix, head) + "raw_attention",
                                tensorOf(block.rawAttention[head]));
}

void addMixing(std::vector<NamedTensor>& arrays, const models::LayerAnalysis& block, const std::string& prefix) {
    for (const MixingMap& mixing : block.mixing)
        if (!mixing.map.empty())
            arrays.emplace_back(prefix + "mixing." + nameOf(mixing.measure), tensorOf(mixing.map));
}

std::string layerPrefix(int layer) {
    return "layer." + std::to_string(layer) + ".";
}

/// What self-attention has and cross-attention has not: profiles along j − i.
bool isSelfAttention(const models::LayerAnalysis& block) {
    return !block.contributionProfile.empty() || !block.reason.empty();
}

} // namespace

Tensor tensorOf(const Matrix<float>& matrix) {
    return Tensor::of<float>({std::int64_t(matrix.rows()), std::int64_t(matrix.columns())}, matrix.values());
}

std::vector<NamedTensor> blockArrays(const models::LayerAnalysis& block, const std::string& prefix, bool cross) {
    std::vector<NamedTensor> arrays;
    if (!block.contributions.empty())
        arrays.emplace_back(prefix + "contributions", tensorOf(block.contributions));
    if (!block.contributionProfile.empty()) {
        const auto& sums = block.contributionProfile.sums();
        arrays.emplace_back(prefix + "contribution_profile",
                            Tensor::of<double>({std::int64_t(sums.size())}, sums));
    }
    const bool self = isSelfAttention(block);
    if (self)
        arrays.emplace_back(prefix + "attention_profile",
                            attentionProfiles(block.attentionProfiles, block.queries));
    arrays.emplace_back(prefix + "head_relevance", tensorOf(block.headRelevance));
    if (!block.paddingShare.empty())
        arrays.emplace_back(prefix + "padding_share",
                            Tensor::of<float>({std::int64_t(block.paddingShare.size())}, block.paddingShare));
    const auto side = static_cast<std::size_t>(block.queries);
    const bool together =
        cross || std::all_of(block.attention.begin(), block.attention.end(), [&](const Matrix<float>& map) {
            return map.rows() == side && map.columns() == side;
        });
    if (!block.attention.empty())
        addAttention(arrays, block, prefix, together);
    return arrays;
}

std::vector<NamedTensor> blockErrors(const models::LayerAnalysis& block, const std::string& prefix) {
    std::vector<NamedTensor> arrays;
    arrays.emplace_back(prefix + "rebuild_error", Tensor::of<float>({}, std::span(&block.rebuildError, 1)));
    arrays.emplace_back(prefix + "gram_error", Tensor::of<float>({}, std::span(&block.gramError, 1)));
    return arrays;
}

std::vector<NamedTensor> layerArrays(const models::LayerAnalysis& layer) {
    auto arrays = blockArrays(layer, layerPrefix(layer.layer));
    if (!layer.state.empty())
        arrays.emplace_back(layerPrefix(layer.layer) + "states", tensorOf(layer.state));
    addMixing(arrays, layer, layerPrefix(layer.layer));
    return arrays;
}

std::vector<NamedTensor> layerErrors(const models::LayerAnalysis& layer) {
    return blockErrors(layer, layerPrefix(layer.layer));
}

std::vector<NamedTensor> decoderArrays(const models::DecoderLayerAnalysis& layer) {
    const std::string prefix = "decoder." + layerPrefix(layer.layer);
    std::vector<NamedTensor> arrays;
    const auto add = [&](const models::LayerAnalysis& block, const std::string& name, bool cross) {
        for (auto& array : blockArrays(block, prefix + name, cross))
            arrays.push_back(std::move(array));
        for (auto& array : blockErrors(block, prefix + name))
            arrays.push_back(std::move(array));
        addMixing(arrays, block, prefix + name);
    };
    add(layer.self, "self.", false);
    add(layer.cross, "cross.", true);
    return arrays;
}

std::vector<NamedTensor> decoderTokens(const models::DecoderAnalysis& analysis) {
    const auto tokens = [](const std::vector<int>& ids) {
        const std::vector<std::int64_t> wide(ids.begin(), ids.end());
        return Tensor::of<std::int64_t>({std::int64_t(wide.size())}, wide);
    };
    return {{"decoder.inputs", tokens(analysis.inputs)}, {"decoder.outputs", tokens(analysis.outputs)}};
}

Tensor tokenSeconds(const TokenClock& clock, std::int64_t tokens, Seconds start) {
    std::vector<double> seconds;
    seconds.reserve(static_cast<std::size_t>(tokens));
    for (std::int64_t token = 0; token < tokens; ++token)
        seconds.push_back((start + clock.centre(Tokens(token))).value());
    return Tensor::of<double>({tokens}, seconds);
}

protocol::LayerReady layerReady(const models::LayerAnalysis& layer) {
    const auto& profile = layer.contributionProfile;
    protocol::LayerReady ready;
    ready.layer = layer.layer;
    ready.d1 = diagonality(profile, 1);
    ready.ccd = cumulativeContributionDiagonality(profile);
    ready.rebuildError = layer.rebuildError;
    ready.gramError = layer.gramError;
    ready.rowSumError = layer.rowSumError;
    ready.reason = layer.reason;
    for (const MixingMap& mixing : layer.mixing)
        ready.mixing.emplace(nameOf(mixing.measure), mixing.reason);
    return ready;
}

nlohmann::json layerSummary(const models::LayerAnalysis& layer) {
    auto summary = layerReady(layer).toJson();
    summary.erase("request");
    summary.erase("rowSumError");
    return summary;
}

nlohmann::json decoderSummary(const models::DecoderLayerAnalysis& layer) {
    auto self = layerSummary(layer.self), cross = layerSummary(layer.cross);
    for (auto* block : {&self, &cross})
        block->erase("layer");
    cross.erase("D1"); // targets and tokens have no common diagonal
    cross.erase("CCD");
    const auto& c = layer.cross.contributions;
    double residual = c.empty() ? kUndefined : 0;
    for (std::size_t target = 0; target < c.rows(); ++target)
        residual += static_cast<double>(c(target, c.columns() - 1)) / static_cast<double>(c.rows());
    cross["residual"] = numberOrNull(residual);
    return {{"layer", layer.layer}, {"self", std::move(self)}, {"cross", std::move(cross)}};
}

} // namespace headroom::training
