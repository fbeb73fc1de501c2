// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/diagonality.h"
#include "core/analysis/windows.h"
#include "core/errors/error.h"
#include "training/figures/contribution_map.h"
#include "training/figures/study_view.h"

#include <algorithm>
#include <cmath>

namespace headroom::figures {

namespace {

const std::string kContributionsFormula =
    "Contributions C_ij = ‖T_ij‖₂ of token j (across) to token i (down), rows made to sum to 1 "
    "(Alastruey et al. 2022, Eq. 5); the main diagonal is left out (grey), colours go to the 99th "
    "percentile";

/// The map of a layer with the window that the study found for it; empty where the example has none.
ContributionMap layerMap(const StudyView& example, const StudyView& results, int layer) {
    ContributionMap map;
    const Numbers seconds = example.numbers("token_seconds", {-1});
    const auto tokens = seconds.extent(0);
    const Numbers values =
        example.optional("layer." + std::to_string(layer) + ".contributions", {tokens, tokens});
    if (values.empty())
        return map;
    map.values = withoutDiagonal(values.matrix({}));
    map.tokenSeconds = seconds.values;
    map.title = "layer " + std::to_string(layer);
    const Numbers statistic = results.optional("statistic", {results.layers(), -1});
    if (!statistic.empty()) {
        const Moments one(statistic.row({layer - 1}));
        const double loss = Moments(results.numbers("loss", {results.layers(), -1}).row({layer - 1})).mean();
        if (one.n() > 0 && loss <= kFullAboveLoss) {
            map.window = static_cast<int>(windowFromStatistic(one.mean(), one.deviation()));
            map.title += ", w = " + std::to_string(*map.window);
        }
    }
    return map;
}

/// The layer that stands alone: the last but one, as layer 11 of 12 in the paper; or `settings.exampleLayer`.
int shownLayer(const StudyView& view) {
    const auto& settings = view.study().settings;
    if (settings.is_object() && settings.contains("exampleLayer") &&
        settings["exampleLayer"].is_number_integer())
        return std::clamp(settings["exampleLayer"].get<int>(), 1, std::max(1, view.layers()));
    return std::max(1, view.layers() - 1);
}

std::string exampleName(const Study& study) {
    if (study.settings.is_object() && study.settings.contains("example") &&
        study.settings["example"].is_string() && !study.settings["example"].get<std::string>().empty())
        return " on " + study.settings["example"].get<std::string>();
    return " on one utterance";
}

std::string bandWords(const std::vector<ContributionMap>& maps) {
    const bool some =
        std::any_of(maps.begin(), maps.end(), [](const auto& map) { return map.window.has_value(); });
    return some ? "; lines: the layer's window w." : ".";
}

/// Maps side by side on one scale, an axis title below and at the left, one colour bar.
Figure mapsFigure(const Study& study, const std::string& name, const std::string& caption,
                  std::vector<ContributionMap> maps, const std::vector<std::string>& keys, int across,
                  double wide) {
    std::vector<const Matrix<double>*> values;
    for (const ContributionMap& map : maps)
        values.push_back(&map.values);
    const ColourScale scale = contributionScale(values);
    const double bar = drawColourBar(nullptr, {}, scale);
    const bool single = maps.size() == 1;
    const PanelGrid grid = panelGrid(int(maps.size()), across, wide, 30, bar + 10, 13, single ? 0 : 7, 16, 1);
    Figure figure = emptyFigure(study, name, caption, wide, grid.bottom() + 24);
    for (std::size_t k = 0; k < maps.size(); ++k) {
        const int index = static_cast<int>(k);
        const bool lowest = index + grid.columns >= int(maps.size()), first = index % grid.columns == 0;
        drawContributionMap(figure.scene, grid.panel(index), maps[k], scale,
                            {lowest, first, grid.panelWidth < 110 ? 3 : 6});
        const auto& shown = maps[k].values;
        figure.arrays.emplace_back(
            keys[k],
            Tensor::of<double>({std::int64_t(shown.rows()), std::int64_t(shown.columns())}, shown.values()));
    }
    figure.arrays.emplace_back(
        "token_seconds",
        Tensor::of<double>({std::int64_t(maps[0].tokenSeconds.size())}, maps[0].tokenSeconds));
    const Box first = grid.panel(0);
    const double right = wide - bar - 10;
    drawColourBar(&figure.scene, {right + 6, first.y, 0, std::min(first.height, 150.0)}, scale);
    const std::string unit = isOfTexts(study) ? "" : ", s"; // tokens of a text have no time
    words(figure.scene, {(first.x + right) / 2, grid.bottom() + 20}, "attended token (key)" + unit,
          kLabelSize, Anchor::Middle, kText);
    words(figure.scene, {8, (first.y + grid.bottom()) / 2}, "attending token (query)" + unit, kLabelSize,
          Anchor::Middle, kText, false, -90);
    return figure;
}

std::string keyOf(const StudyView& view, int model, int layer) {
    return std::string(view.study().models.size() > 1 ? std::to_string(model + 1) + "." : "") + "layer." +
           std::to_string(layer) + ".contributions";
}

} // namespace

std::vector<Figure> contributionFigures(const Study& study, const StudyArrays& arrays,
                                        const StudyArrays& example, double width) {
    std::vector<Figure> figures;
    if (example.empty())
        return figures;
    std::vector<ContributionMap> beside;
    std::vector<std::string> besideKeys;
    for (int model = 0; model < static_cast<int>(study.models.size()); ++model) {
        const StudyView view(study, example, model), results(study, arrays, model);
        std::vector<ContributionMap> maps;
        std::vector<std::string> keys;
        for (int layer = 1; layer <= view.layers(); ++layer) {
            ContributionMap map = layerMap(view, results, layer);
            if (map.values.empty())
                continue;
            if (layer == shownLayer(view)) {
                figures.push_back(mapsFigure(study, view.fileName("contributions-layer-" + std::to_string(layer)),
                                             kContributionsFormula + ": layer " + std::to_string(layer) +
                                                 view.ofModel() + exampleName(study) + bandWords({map}),
                                             {map}, {keyOf(view, model, layer)}, 1,
                                             width > 0 ? width : kColumn));
                beside.push_back(map);
                beside.back().title = view.model().name + ", " + map.title;
                besideKeys.push_back(keyOf(view, model, layer));
            }
            maps.push_back(std::move(map));
            keys.push_back(keyOf(view, model, layer));
        }
        if (maps.empty())
            continue;
        const double wide = width > 0 ? width : kPage;
        const std::string words =
            kContributionsFormula + ": every layer" + view.ofModel() + exampleName(study) + bandWords(maps);
        figures.push_back(mapsFigure(study, view.fileName("contributions-layers"), words, std::move(maps),
                                     keys, wide < 300 ? 3 : 4, wide));
    }
    if (beside.size() > 1)
        figures.push_back(
            mapsFigure(study, "contributions-models",
                       kContributionsFormula + ": models side by side" + exampleName(study) +
                           bandWords(beside),
                       beside, besideKeys, std::min<int>(3, int(beside.size())), width > 0 ? width : kPage));
    return figures;
}

} // namespace headroom::figures
