// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/heads/layer_metrics.h"

namespace headroom::app {

namespace {

LiveHeadMetrics liveHeadMetrics(const MaxPyramid& applied, const Matrix<float>& compressed,
                                std::span<const int> phones, std::span<const bool> silent,
                                const SpokenTokens& spoken) {
    if (!compressed.empty())
        return {headMetrics(compressed.view(), MapKeys::Compressed, {}, nullptr), {}, true};
    if (applied.empty())
        return {};
    const Matrix<float>& map = applied.level(0);
    const bool spokenKnown = phones.size() == map.rows() && map.rows() == map.columns();
    return {headMetrics(map.view(), MapKeys::AllTokens, silent, spokenKnown ? &spoken : nullptr),
            spokenKnown ? phoneAttention(map, spoken) : Matrix<double>(), false};
}

} // namespace

LayerMetrics layerMetrics(const AttentionMaps& maps, std::span<const int> phones) {
    const SilentTokens silent(phones);
    const SpokenTokens spoken = phones.empty() ? SpokenTokens() : spokenTokens(phones);
    LayerMetrics layer;
    for (std::size_t head = 0; head < maps.heads.size(); ++head)
        layer.heads.push_back(liveHeadMetrics(
            maps.heads[head], head < maps.compressed.size() ? maps.compressed[head] : Matrix<float>(), phones,
            silent.span(), spoken));
    return layer;
}

} // namespace headroom::app
