// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/foreign_layers.h"

#include "app/documents/items/paths.h"
#include "app/jobs/attention_maps.h"
#include "core/analysis/diagonality.h"
#include "widgets/look/translate.h"

#include <algorithm>
#include <optional>

namespace headroom::app {

namespace {

bool isSquare(const Matrix<float>& map) {
    return map.rows() == map.columns();
}

ModelDescription infoOf(const ForeignMaps& maps) {
    ModelDescription info;
    for (int number = 1; number <= maps.layers(); ++number) {
        const ForeignLayer layer = maps.layer(number); // also: every layer can be read
        Architecture::Layer heads;
        HeadGroup full;
        full.count = static_cast<int>(std::max<std::size_t>(layer.attention.size(), 1));
        heads.heads = {full};
        info.architecture.encoder.layers.push_back(std::move(heads));
        if (!layer.empty())
            info.mapLayers.push_back(number);
        info.mapHeads = std::max(info.mapHeads, static_cast<int>(layer.attention.size()));
    }
    info.clock = maps.clock();
    info.storedAs = tr("maps");
    return info;
}

} // namespace

ForeignModel openForeignModel(const std::filesystem::path& folder) {
    ForeignModel model;
    model.files = foreignMapFiles(folder);
    std::optional<Error> first;
    for (const auto& [stem, file] : model.files) {
        try {
            model.info = infoOf(ForeignMaps(file));
            model.info.name = toQString(folder.has_extension() ? folder.stem() : folder.filename());
            model.info.architecture.name = model.info.name.toStdString();
            return model;
        } catch (const Error& error) {
            if (!first)
                first = error;
        }
    }
    throw *first; // foreignMapFiles() gives one file at least
}

LayerResult foreignLayer(const ForeignMaps& maps, int number, bool withAttention) {
    ForeignLayer from = maps.layer(number);
    LayerResult layer;
    layer.foreign = true;
    layer.layer = number;
    layer.tokens = maps.tokens();
    layer.headRelevance = std::move(from.headRelevance);
    if (from.empty()) {
        layer.reason = tr("The imported maps do not contain layer %1.").arg(number);
        return layer;
    }
    layer.rowSumError = from.rowError;
    for (const Matrix<float>& head : from.attention)
        layer.attentionProfiles.push_back(isSquare(head) ? DiagonalProfile(head.view()) : DiagonalProfile());
    // None where a head is over other keys than tokens.
    if (!from.attention.empty() && std::all_of(from.attention.begin(), from.attention.end(), isSquare)) {
        Matrix<float> mean = meanOfHeads(from.attention);
        layer.profile = DiagonalProfile(mean.view());
        layer.mean = std::make_shared<const MaxPyramid>(std::move(mean));
    }
    if (!from.contributions.empty()) {
        layer.profile = DiagonalProfile(from.contributions.view());
        layer.contributions = std::make_shared<const MaxPyramid>(std::move(from.contributions));
    } else {
        layer.reason = tr("Imported maps contain only attention. Contributions need the model itself.");
    }
    if (!layer.profile.empty()) {
        layer.d1 = diagonality(layer.profile, 1);
        layer.ccd = cumulativeContributionDiagonality(layer.profile);
    }
    if (withAttention && !from.attention.empty()) {
        auto attention = std::make_shared<AttentionMaps>();
        for (Matrix<float>& head : from.attention) {
            const bool square = isSquare(head);
            attention->compressed.push_back(square ? Matrix<float>() : head);
            attention->heads.push_back(square ? MaxPyramid(std::move(head)) : MaxPyramid());
            attention->raw.emplace_back();
        }
        if (layer.mean)
            attention->mean = *layer.mean;
        layer.attention = std::move(attention);
    }
    return layer;
}

} // namespace headroom::app
