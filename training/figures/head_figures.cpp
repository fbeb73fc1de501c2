// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/attention_statistics.h"
#include "training/figures/heat_map.h"
#include "training/figures/study_view.h"

#include <algorithm>
#include <cmath>

namespace headroom::figures {

namespace {

/// As on the screen (widgets/heads).
const Colour kPhonetic = rgb(0x1a508e), kLinguistic = rgb(0xb55631);

std::string cadFormula(const Study& study) {
    const bool kept =
        study.settings.is_object() && study.settings.value("silence", nlohmann::json()) == "keep";
    return std::string("CAD = ∫ D(r) dr = 1 − E|i−j|/(T−1) of each attention head, ") +
           (kept ? "silence kept" : "silence removed") + ", mean over utterances (Shim et al. 2022, Eq. 2–3)";
}

double split(const Study& study) {
    const bool said =
        study.settings.is_object() && study.settings.contains("split") && study.settings["split"].is_number();
    return said ? study.settings["split"].get<double>() : kPhoneticBelow;
}

struct Head {
    int layer = 1, head = 1;
    Moments cad;
};

/// Heads that have an N × N map, layer by layer.
std::vector<Head> headsOf(const StudyView& view) {
    const Numbers cad = view.numbers("cad", {view.layers(), view.heads(), -1});
    std::vector<Head> heads;
    for (int layer = 0; layer < view.layers(); ++layer)
        for (int head = 0; head < view.heads(); ++head)
            if (const Moments one(cad.row({layer, head})); one.n() > 0)
                heads.push_back({layer + 1, head + 1, one});
    return heads;
}

std::vector<LegendEntry> kinds(const Study& study, const std::vector<Head>& heads) {
    const auto phonetic = std::count_if(heads.begin(), heads.end(),
                                        [&](const Head& head) { return head.cad.mean() < split(study); });
    const auto linguistic = static_cast<std::ptrdiff_t>(heads.size()) - phonetic;
    return {{"phonetic, " + std::to_string(phonetic) + (phonetic == 1 ? " head" : " heads"),
             {kPhonetic, 1, {}},
             -1,
             true},
            {"linguistic, " + std::to_string(linguistic) + (linguistic == 1 ? " head" : " heads"),
             {kLinguistic, 1, {}},
             -1,
             true}};
}

Figure sorted(const StudyView& view, double width) {
    const double wide = width > 0 ? width : kColumn;
    auto heads = headsOf(view);
    std::stable_sort(heads.begin(), heads.end(),
                     [](const Head& a, const Head& b) { return a.cad.mean() < b.cad.mean(); });
    const auto legend = kinds(view.study(), heads);
    Axis x{"heads, sorted by CAD",
           0.3,
           std::max(1.0, double(heads.size())) + 0.7,
           countTicks(int(heads.size()), 8),
           false,
           true,
           false};
    double lowest = 1;
    for (const Head& head : heads)
        lowest = std::min(lowest, head.cad.mean() - 0.02);
    const double low = std::max(0.0, std::min(0.5, std::floor(lowest * 10) / 10));
    Axis y{"CAD", low, 1, niceTicks(low, 1, 5), false, true, true};
    const double above = drawLegendAbove(nullptr, x, y, wide, legend);
    Figure figure =
        emptyFigure(view.study(), view.fileName("cad-sorted"),
                    cadFormula(view.study()) + view.ofModel() + ", sorted; heads below " +
                        numberText(split(view.study()), 2) + " are phonetic, the others linguistic.",
                    wide, above + wide * 0.5 + 22);
    drawLegendAbove(&figure.scene, x, y, wide, legend);
    const auto room = Plot::margins(x, y);
    Plot plot(figure.scene, {room.left + 4, above, wide - room.left - 10, wide * 0.5}, x, y);
    figure.values = table("cad-sorted", {{"place", "place", "", 0},
                                         {"layer", "layer", "", 0},
                                         {"head", "head", "", 0},
                                         {"cad", "CAD", "", 3},
                                         {"std", "std", "", 3},
                                         {"side", "side", "", 0, true}});
    for (std::size_t k = 0; k < heads.size(); ++k) {
        const double at = double(k) + 1, cad = heads[k].cad.mean();
        const bool phonetic = cad < split(view.study());
        plot.bar(at - 0.36, at + 0.36, cad, phonetic ? kPhonetic : kLinguistic);
        figure.values->rows.push_back({at, double(heads[k].layer), double(heads[k].head), cad,
                                       heads[k].cad.deviation(),
                                       std::string(phonetic ? "phonetic" : "linguistic")});
    }
    plot.levelLine(split(view.study()), {kText, 0.7, {3, 2}});
    plot.close();
    return figure;
}

Figure cadByLayer(const StudyView& view, double width) {
    const double wide = width > 0 ? width : kColumn;
    const auto heads = headsOf(view);
    auto legend = kinds(view.study(), heads);
    for (std::size_t k = 0; k < 2; ++k) {
        legend[k].filled = false;
        legend[k].stroke.width = 0;
        legend[k].marker = k == 0 ? 0 : 3;
    }
    double lowest = 1;
    for (const Head& head : heads)
        lowest = std::min(lowest, head.cad.mean() - 0.02);
    const double low = std::max(0.0, std::min(0.5, std::floor(lowest * 10) / 10));
    Axis x{"encoder layer", 0.4, view.layers() + 0.6, countTicks(view.layers(), 16), false, true, false};
    Axis y{"CAD", low, 1, niceTicks(low, 1, 5), false, true, true};
    const double above = drawLegendAbove(nullptr, x, y, wide, legend);
    Figure figure = emptyFigure(view.study(), view.fileName("cad-layers"),
                                cadFormula(view.study()) + view.ofModel() +
                                    ", by layer; line: mean of the layer's heads.",
                                wide, above + wide * 0.5 + 22);
    drawLegendAbove(&figure.scene, x, y, wide, legend);
    const auto room = Plot::margins(x, y);
    Plot plot(figure.scene, {room.left + 4, above, wide - room.left - 10, wide * 0.5}, x, y);
    plot.levelLine(split(view.study()), {kText, 0.7, {3, 2}});
    figure.values = table("cad-layers", {{"layer", "layer", "", 0},
                                         {"head", "head", "", 0},
                                         {"cad", "CAD", "", 3},
                                         {"std", "std", "", 3},
                                         {"layer_mean", "mean of the layer", "", 3}});
    std::vector<double> at, means;
    for (int layer = 1; layer <= view.layers(); ++layer) {
        std::vector<double> values;
        for (const Head& head : heads)
            if (head.layer == layer)
                values.push_back(head.cad.mean());
        at.push_back(layer);
        means.push_back(Moments(values).mean());
    }
    plot.line(at, means, {kText2, 0.9, {}});
    for (const Head& head : heads) {
        const bool phonetic = head.cad.mean() < split(view.study());
        plot.marker(head.layer, head.cad.mean(), phonetic ? 0 : 3, phonetic ? kPhonetic : kLinguistic);
        figure.values->rows.push_back({double(head.layer), double(head.head), head.cad.mean(),
                                       head.cad.deviation(), cell(means[std::size_t(head.layer - 1)])});
    }
    plot.close();
    return figure;
}

Figure diagonalityCurves(const StudyView& view, double width) {
    const double wide = width > 0 ? width : kColumn;
    const Numbers grid = view.numbers("cad_grid", {-1});
    const Numbers curve = view.numbers("cad_curve", {view.layers(), view.heads(), grid.extent(0)});
    const auto heads = headsOf(view);
    auto legend = kinds(view.study(), heads);
    for (std::size_t k = 0; k < 2; ++k) {
        legend[k].filled = false;
        legend[k].stroke = {(k == 0 ? kPhonetic : kLinguistic).withAlpha(0.75), 0.55,
                            k == 0 ? std::vector<double>{3, 1.6} : std::vector<double>{}};
    }
    // D(r) of a uniform map for long utterances: its CAD is 2/3.
    const Stroke kUniform{kText2, 0.8, {1, 1.5}};
    legend.push_back({"uniform", kUniform, -1, false});
    Axis x{"r", 0, 1, niceTicks(0, 1, 5), false, true, true},
        y{"D(r)", 0, 1, niceTicks(0, 1, 5), false, true, true};
    const double above = drawLegendAbove(nullptr, x, y, wide, legend);
    Figure figure = emptyFigure(view.study(), view.fileName("cad-curves"),
                                "D(r), the share of a head's attention within r(T−1) tokens, mean over "
                                "utterances (Shim et al. 2022, Eq. 2), every head" +
                                    view.ofModel() + "; dotted: a uniform map of a long utterance, r(2 − r).",
                                wide, above + wide * 0.62 + 22);
    drawLegendAbove(&figure.scene, x, y, wide, legend);
    const auto room = Plot::margins(x, y);
    Plot plot(figure.scene, {room.left + 4, above, wide - room.left - 10, wide * 0.62}, x, y);
    std::vector<double> at, uniform;
    for (int k = 0; k <= 100; ++k) {
        at.push_back(k / 100.0);
        uniform.push_back(at.back() * (2 - at.back()));
    }
    plot.line(at, uniform, kUniform);
    for (const Head& head : heads) {
        const auto values = curve.row({head.layer - 1, head.head - 1});
        plot.line(grid.values, values, legend[head.cad.mean() < split(view.study()) ? 0 : 1].stroke);
    }
    plot.close();
    figure.arrays = {{"cad_grid", Tensor::of<double>({grid.extent(0)}, grid.values)},
                     {"cad_curve", Tensor::of<double>(curve.shape, curve.values)}};
    return figure;
}

} // namespace

StudyTable headKindsTable(const StudyView& view) {
    StudyTable result = table(view.fileName("heads-kinds"), {{"layer", "Layer", "", 0},
                                                             {"phonetic", "Phonetic heads", "", 0, true},
                                                             {"linguistic", "Linguistic heads", "", 0, true},
                                                             {"cad", "CAD of the layer", "", 3}});
    result.title = "Phonetic and linguistic heads" + view.ofModel();
    const auto heads = headsOf(view);
    const auto counts = kinds(view.study(), heads);
    result.caption = cadFormula(view.study()) + ": " + counts[0].name + " below " +
                     numberText(split(view.study()), 2) + ", " + counts[1].name +
                     " above (Shim et al. 2022, §4; numbers are heads, from 1). " + provenance(view.study());
    for (int layer = 1; layer <= view.layers(); ++layer) {
        std::string names[2];
        std::vector<double> values;
        for (const Head& head : heads)
            if (head.layer == layer) {
                auto& list = names[head.cad.mean() < split(view.study()) ? 0 : 1];
                list += (list.empty() ? "" : ", ") + std::to_string(head.head);
                values.push_back(head.cad.mean());
            }
        for (auto& list : names)
            if (list.empty())
                list = "–";
        result.rows.push_back({double(layer), names[0], names[1], cell(Moments(values).mean())});
    }
    return result;
}

std::vector<Figure> relevanceFigures(const StudyView& view, double width);

std::vector<Figure> headFigures(const Study& study, const StudyArrays& arrays, double width) {
    std::vector<Figure> figures;
    for (const StudyView& view : views(study, arrays)) {
        figures.push_back(sorted(view, width));
        figures.push_back(cadByLayer(view, width));
        figures.push_back(diagonalityCurves(view, width));
        for (Figure& figure : relevanceFigures(view, width))
            figures.push_back(std::move(figure));
    }
    return figures;
}

} // namespace headroom::figures
