// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/analysis_arrays.h"

#include "core/analysis/diagonality.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::training {

namespace {

nlohmann::json numberOrNull(double value) {
    return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

Tensor attentionProfiles(const std::vector<DiagonalProfile>& heads, std::int64_t tokens) {
    const auto width = static_cast<std::size_t>(2 * tokens - 1);
    std::vector<double> values(heads.size() * width, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t head = 0; head < heads.size(); ++head)
        if (heads[head].size() == tokens)
            std::copy(heads[head].sums().begin(), heads[head].sums().end(),
                      values.begin() + std::ptrdiff_t(head * width));
    return Tensor::of<double>({std::int64_t(heads.size()), std::int64_t(width)}, values);
}

void addAttention(std::vector<NamedTensor>& arrays, const models::LayerAnalysis& layer,
                  const std::string& prefix, std::size_t tokens) {
    const auto& heads = layer.attention;
    const bool square = std::all_of(heads.begin(), heads.end(), [&](const Matrix<float>& map) {
        return map.rows() == tokens && map.columns() == tokens;
    });
    if (!square) {
        for (std::size_t head = 0; head < heads.size(); ++head)
            arrays.emplace_back(prefix + "head." + std::to_string(head + 1) + ".attention",
                                tensorOf(heads[head]));
        return;
    }
    std::vector<float> values;
    values.reserve(heads.size() * tokens * tokens);
    for (const auto& map : heads)
        values.insert(values.end(), map.values().begin(), map.values().end());
    const auto side = static_cast<std::int64_t>(tokens);
    arrays.emplace_back(prefix + "attention",
                        Tensor::of<float>({std::int64_t(heads.size()), side, side}, values));
}

} // namespace

Tensor tensorOf(const Matrix<float>& matrix) {
    return Tensor::of<float>({std::int64_t(matrix.rows()), std::int64_t(matrix.columns())}, matrix.values());
}

std::vector<NamedTensor> layerArrays(const models::LayerAnalysis& layer) {
    const std::string prefix = "layer." + std::to_string(layer.layer) + ".";
    const auto tokens = static_cast<std::int64_t>(layer.headRelevance.rows());
    std::vector<NamedTensor> arrays;
    if (!layer.contributions.empty())
        arrays.emplace_back(prefix + "contributions", tensorOf(layer.contributions));
    if (!layer.contributionProfile.empty()) {
        const auto& sums = layer.contributionProfile.sums();
        arrays.emplace_back(prefix + "contribution_profile",
                            Tensor::of<double>({std::int64_t(sums.size())}, sums));
    }
    arrays.emplace_back(prefix + "attention_profile", attentionProfiles(layer.attentionProfiles, tokens));
    arrays.emplace_back(prefix + "head_relevance", tensorOf(layer.headRelevance));
    if (!layer.attention.empty())
        addAttention(arrays, layer, prefix, static_cast<std::size_t>(tokens));
    return arrays;
}

std::vector<NamedTensor> layerErrors(const models::LayerAnalysis& layer) {
    const std::string prefix = "layer." + std::to_string(layer.layer) + ".";
    std::vector<NamedTensor> arrays;
    arrays.emplace_back(prefix + "rebuild_error", Tensor::of<float>({}, std::span(&layer.rebuildError, 1)));
    arrays.emplace_back(prefix + "gram_error", Tensor::of<float>({}, std::span(&layer.gramError, 1)));
    return arrays;
}

Tensor tokenSeconds(const TokenClock& clock, std::int64_t tokens, Seconds start) {
    std::vector<double> seconds;
    seconds.reserve(static_cast<std::size_t>(tokens));
    for (std::int64_t token = 0; token < tokens; ++token)
        seconds.push_back((start + clock.centre(Tokens(token))).value());
    return Tensor::of<double>({tokens}, seconds);
}

nlohmann::json layerSummary(const models::LayerAnalysis& layer) {
    const auto& profile = layer.contributionProfile;
    return {{"layer", layer.layer},
            {"D1", numberOrNull(diagonality(profile, 1))},
            {"CCD", numberOrNull(cumulativeContributionDiagonality(profile))},
            {"rebuildError", numberOrNull(layer.rebuildError)},
            {"gramError", numberOrNull(layer.gramError)}};
}

} // namespace headroom::training
