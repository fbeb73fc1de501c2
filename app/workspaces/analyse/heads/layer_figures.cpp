// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/heads/layer_figures.h"

#include "core/analysis/diagonality.h"

#include <algorithm>
#include <memory>

namespace headroom::app {

namespace {

HeadFigures headFigures(const MaxPyramid& applied, const Matrix<float>& compressed,
                        std::span<const int> phones, std::span<const bool> silent,
                        const SpokenTokens& spoken) {
    HeadFigures figures;
    figures.compressed = !compressed.empty();
    if (figures.compressed) { // which tokens a compressed key hears is not said by silence
        figures.statistics = attentionStatistics(compressed);
        figures.statistics.meanDistance = NAN;
        return figures;
    }
    if (applied.empty())
        return figures;
    const Matrix<float>& map = applied.level(0);
    figures.statistics = attentionStatistics(map, silent);
    if (phones.size() != map.rows() || map.rows() != map.columns())
        return figures;
    // As in a study: a row that looks at silence alone counts nothing, and does not make CAD unknown.
    const Matrix<float> speech = withoutEmptyRows(spokenMap(map, spoken));
    const DiagonalProfile profile(speech.view());
    if (!profile.empty() && profile.total() > 0) {
        figures.spokenCad = cumulativeAttentionDiagonality(profile);
        figures.spokenCurve = attentionDiagonalityCurve(profile);
    }
    figures.par = phoneAttention(map, spoken);
    return figures;
}

} // namespace

LayerFigures layerFigures(const AttentionMaps& maps, std::span<const int> phones) {
    // std::vector<bool> is not made of bools.
    const auto silent = std::make_unique<bool[]>(phones.size());
    for (std::size_t token = 0; token < phones.size(); ++token)
        silent[token] = phones[token] == kSilenceClass;
    const SpokenTokens spoken = phones.empty() ? SpokenTokens() : spokenTokens(phones);
    LayerFigures layer;
    for (std::size_t head = 0; head < maps.heads.size(); ++head)
        layer.heads.push_back(headFigures(
            maps.heads[head], head < maps.compressed.size() ? maps.compressed[head] : Matrix<float>(), phones,
            {silent.get(), phones.size()}, spoken));
    return layer;
}

std::vector<TokenPair> strongestPairs(const Matrix<float>& map, const SpokenTokens& spoken, int attending,
                                      int attended, std::size_t most) {
    std::vector<TokenPair> pairs;
    const double count = double(spoken.size());
    for (std::size_t i = 0; i < spoken.tokens.size(); ++i) {
        if (spoken.classes[i] != attending)
            continue;
        const auto query = std::size_t(spoken.tokens[i]);
        if (query >= map.rows())
            continue;
        double total = 0; // of the row without silence
        for (const std::int64_t key : spoken.tokens)
            total += double(map(query, std::size_t(key)));
        if (!(total > 0))
            continue;
        for (std::size_t j = 0; j < spoken.tokens.size(); ++j)
            if (spoken.classes[j] == attended && spoken.runs[j] != spoken.runs[i]) {
                const double weight = double(map(query, std::size_t(spoken.tokens[j]))) / total;
                pairs.push_back({std::int64_t(query), spoken.tokens[j], weight, weight * count});
            }
    }
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const TokenPair& a, const TokenPair& b) { return a.weight > b.weight; });
    pairs.resize(std::min(pairs.size(), most));
    return pairs;
}

Matrix<double> meanPhoneAttention(std::span<const Matrix<double>* const> maps) {
    PhoneAttentionMean mean;
    bool any = false;
    for (const Matrix<double>* map : maps)
        if (map && !map->empty()) {
            mean.add(*map);
            any = true;
        }
    return any ? mean.mean() : Matrix<double>();
}

} // namespace headroom::app
