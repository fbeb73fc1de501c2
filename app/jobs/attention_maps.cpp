// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/attention_maps.h"

#include "core/analysis/receptive_field.h"
#include "core/errors/error.h"

#include <algorithm>
#include <cmath>

namespace headroom::app {

namespace {

[[noreturn]] void refuseMaps(const std::string& what) {
    throw Error("worker.badAnswer", "The worker's answer cannot be used: " + what + ".");
}

/// The group that a head (from 0) belongs to; null where the layer has none.
const HeadGroup* groupOf(const Architecture::Layer* layer, std::size_t head) {
    std::size_t first = 0;
    for (const HeadGroup& group : layer ? layer->heads : std::vector<HeadGroup>{}) {
        first += static_cast<std::size_t>(group.count);
        if (head < first)
            return &group;
    }
    return nullptr;
}

/// For each token the compressed key whose middle is nearest.
std::vector<std::size_t> nearestKeys(const HeadGroup* group, std::int64_t tokens, std::int64_t columns) {
    if (!group || group->kind != HeadKind::Conv)
        refuseMaps("a map has " + std::to_string(columns) + " keys for " + std::to_string(tokens) +
               " tokens, and its head shortens nothing");
    const CompressedKeys keys = CompressedKeys::of(*group);
    if (keys.count(tokens) != columns)
        refuseMaps("a convolution of kernel " + std::to_string(keys.kernel) + " and stride " +
               std::to_string(keys.stride) + " does not leave " + std::to_string(columns) + " keys");
    std::vector<std::size_t> nearest;
    for (std::int64_t token = 0; token < tokens; ++token) {
        const double place = (static_cast<double>(token) - keys.centre(0)) / keys.stride;
        nearest.push_back(
            static_cast<std::size_t>(std::clamp<std::int64_t>(std::llround(place), 0, columns - 1)));
    }
    return nearest;
}

/// The map on the tokens' axis, and its share in the mean.
struct Placed {
    Matrix<float> map;
    std::vector<float> share; ///< of each token's column
};

Placed placed(Matrix<float> map, std::int64_t tokens, const HeadGroup* group) {
    const auto side = static_cast<std::size_t>(tokens);
    if (map.rows() != side)
        refuseMaps("a map has " + std::to_string(map.rows()) + " rows for " + std::to_string(tokens) + " tokens");
    if (map.columns() == side && (!group || group->kind != HeadKind::Conv))
        return {std::move(map), std::vector<float>(side, 1.0F)};
    const auto nearest = nearestKeys(group, tokens, static_cast<std::int64_t>(map.columns()));
    std::vector<float> drawn(map.columns(), 0.0F);
    for (const std::size_t key : nearest)
        drawn[key] += 1;
    Placed result{Matrix<float>(side, side), {}};
    for (std::size_t column = 0; column < side; ++column)
        result.share.push_back(1.0F / drawn[nearest[column]]);
    for (std::size_t row = 0; row < side; ++row)
        for (std::size_t column = 0; column < side; ++column)
            result.map(row, column) = map(row, nearest[column]);
    return result;
}

} // namespace

std::shared_ptr<const AttentionMaps> attentionMaps(ReceivedHeads heads, std::int64_t tokens,
                                                   const Architecture::Layer* layer) {
    const auto side = static_cast<std::size_t>(tokens);
    const float count = static_cast<float>(heads.applied.size());
    auto maps = std::make_shared<AttentionMaps>();
    Matrix<float> mean(side, side);
    for (std::size_t head = 0; head < heads.applied.size(); ++head) {
        const HeadGroup* group = groupOf(layer, head);
        const bool compressed = group && group->kind == HeadKind::Conv;
        maps->compressed.push_back(compressed ? heads.applied[head] : Matrix<float>());
        Placed applied = placed(std::move(heads.applied[head]), tokens, group);
        for (std::size_t row = 0; row < side; ++row)
            for (std::size_t column = 0; column < side; ++column)
                mean(row, column) += applied.map(row, column) * applied.share[column] / count;
        maps->heads.emplace_back(std::move(applied.map));
        const bool relaxed = head < heads.raw.size() && !heads.raw[head].empty();
        maps->raw.push_back(relaxed ? MaxPyramid(placed(std::move(heads.raw[head]), tokens, group).map)
                                    : MaxPyramid());
    }
    maps->mean = MaxPyramid(std::move(mean));
    return maps;
}

Matrix<float> meanOfHeads(const std::vector<Matrix<float>>& heads) {
    Matrix<float> mean(heads.front().rows(), heads.front().columns());
    const auto share = 1.0F / static_cast<float>(heads.size());
    for (const Matrix<float>& head : heads)
        for (std::size_t cell = 0; cell < head.values().size(); ++cell)
            mean.values()[cell] += head.values()[cell] * share;
    return mean;
}

} // namespace headroom::app
