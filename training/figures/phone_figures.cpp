// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/phone_attention.h"
#include "training/figures/phone_matrix.h"
#include "training/figures/study_view.h"

#include <algorithm>
#include <cmath>

namespace headroom::figures {

namespace {

const std::string kPar =
    "PAR: attention of phone p (down) to phone q (across) as a multiple of uniform attention, silence "
    "left out, own run left out on the diagonal (Shim et al. 2022, Eq. 4–5)";
const std::string kMarks = "; hatched: undefined, pale: defined in fewer than 3 utterances.";

std::string parFormula(const Study& study) {
    const bool pooled =
        study.settings.is_object() && study.settings.value("mode", nlohmann::json()) == "pooled";
    return kPar +
           (pooled ? ", pooled: all pairs of tokens of the corpus count alike" : ", mean over utterances");
}

ColourScale parScale() {
    ColourScale scale{ColourScheme::Viridis, 0.25, 4, true, 1, "PAR", {}};
    scale.ticks = {{0.25, 0.5, 1, 2, 4}, {"≤ ¼", "½", "1 uniform", "2", "≥ 4"}};
    return scale;
}

/// Mean over heads of layers first … last (from 0), cell by cell over those that define it.
Matrix<double> meanPar(const Numbers& par, std::int64_t first, std::int64_t last) {
    Matrix<double> sums(36, 36), counts(36, 36);
    for (std::int64_t layer = first; layer <= last; ++layer)
        for (std::int64_t head = 0; head < par.extent(1); ++head) {
            const Matrix<double> one = par.matrix({layer, head});
            for (std::size_t k = 0; k < one.values().size(); ++k)
                if (!std::isnan(one.values()[k])) {
                    sums.values()[k] += one.values()[k];
                    counts.values()[k] += 1;
                }
        }
    for (std::size_t k = 0; k < sums.values().size(); ++k)
        sums.values()[k] = counts.values()[k] > 0 ? sums.values()[k] / counts.values()[k] : std::nan("");
    return sums;
}

/// As the study has it (pooled or mean of means), else from the heads.
Matrix<double> halfPar(const StudyView& view, const Numbers& par, std::int64_t half, std::int64_t first,
                       std::int64_t last) {
    const Numbers halves = view.optional("par_half", {2, 36, 36});
    return halves.empty() || (first == 0 && last + 1 == view.layers()) ? meanPar(par, first, last)
                                                                       : halves.matrix({half});
}

Tensor tensorOf(const Matrix<double>& values) {
    return Tensor::of<double>({std::int64_t(values.rows()), std::int64_t(values.columns())}, values.values());
}

std::string layersText(std::int64_t first, std::int64_t last) {
    return first == last ? "layer " + std::to_string(first + 1)
                         : "layers " + std::to_string(first + 1) + "–" + std::to_string(last + 1);
}

Figure halves(const StudyView& view, const Numbers& par, const Matrix<double>& counts, double width) {
    const double wide = width > 0 ? width : kPage;
    const ColourScale scale = parScale();
    const double bar = drawColourBar(nullptr, {}, scale);
    const auto layers = std::int64_t(view.layers());
    const std::int64_t last = lastOfLowerHalf(layers);
    std::vector<std::pair<std::int64_t, std::int64_t>> parts{{0, last}, {last + 1, layers - 1}};
    if (layers < 2)
        parts = {{0, layers - 1}};
    const PanelGrid grid =
        panelGrid(int(parts.size()), wide < 300 ? 1 : 2, wide, 27, bar + 10, 27, 24, 40, 1);
    Figure figure = emptyFigure(view.study(), view.fileName("par-halves"),
                                parFormula(view.study()) +
                                    ", mean over the heads of the lower and the upper half of the layers" +
                                    view.ofModel() + kMarks,
                                wide, grid.bottom() + 14);
    for (int k = 0; k < int(parts.size()); ++k) {
        const auto [from, to] = parts[std::size_t(k)];
        const Matrix<double> values = halfPar(view, par, k, from, to);
        const char* name = parts.size() == 1 ? "" : k == 0 ? "lower half, " : "upper half, ";
        drawPhoneMatrix(figure.scene, grid.panel(k), values, counts, scale,
                        {true, true, name + layersText(from, to)});
        figure.arrays.emplace_back(k == 0 ? "lower" : "upper", tensorOf(values));
        words(figure.scene, {grid.panel(k).x + grid.panelWidth / 2, grid.panel(k).bottom() + 9.5},
              "attended phone", kLabelSize, Anchor::Middle, kText);
    }
    words(figure.scene, {8, grid.panel(0).y + grid.panelHeight / 2}, "attending phone", kLabelSize,
          Anchor::Middle, kText, false, -90);
    const Box first = grid.panel(0);
    drawColourBar(&figure.scene, {wide - bar - 4, first.y, 0, std::min(first.height, 150.0)}, scale);
    if (!counts.empty())
        figure.arrays.emplace_back("utterances", tensorOf(counts));
    return figure;
}

Figure everyLayer(const StudyView& view, const Numbers& par, const Matrix<double>& counts, double width) {
    const double wide = width > 0 ? width : kPage;
    const ColourScale scale = parScale();
    const double bar = drawColourBar(nullptr, {}, scale);
    const PanelGrid grid = panelGrid(view.layers(), wide < 300 ? 2 : 4, wide, 10, bar + 10, 13, 12, 16, 1);
    Figure figure =
        emptyFigure(view.study(), view.fileName("par-layers"),
                    parFormula(view.study()) + ", mean over the heads of each layer" + view.ofModel() +
                        "; phones by manner: vowels, glides, liquids, nasals, stops, affricates, "
                        "fricatives, silence" +
                        kMarks,
                    wide, grid.bottom() + 6);
    const Numbers byLayer = view.optional("par_layer", {view.layers(), 36, 36});
    for (int layer = 0; layer < view.layers(); ++layer) {
        const Matrix<double> values = byLayer.empty() ? meanPar(par, layer, layer) : byLayer.matrix({layer});
        drawPhoneMatrix(figure.scene, grid.panel(layer), values, counts, scale,
                        {false, true, layersText(layer, layer)});
        figure.arrays.emplace_back("layer." + std::to_string(layer + 1), tensorOf(values));
    }
    const Box first = grid.panel(0);
    drawColourBar(&figure.scene, {wide - bar - 4, first.y, 0, std::max(first.height, 90.0)}, scale);
    return figure;
}

/// A model's colour; what is accumulated is dashed.
Stroke curve(std::size_t model, std::size_t which) {
    return {seriesStroke(model).colour, kCurveWidth,
            which == 0 ? std::vector<double>{} : std::vector<double>{4, 1.8}};
}

bool isCovered(const StudyView& view) {
    const Numbers share = view.optional("coverage", {view.layers()});
    return std::any_of(share.values.begin(), share.values.end(),
                       [](double value) { return !std::isnan(value); });
}

Figure coverage(const Study& study, const StudyArrays& arrays, double width) {
    const auto models = views(study, arrays);
    const double wide = width > 0 ? width : kColumn;
    std::vector<LegendEntry> legend;
    int layers = 1;
    double lowest = 1;
    for (std::size_t m = 0; m < models.size(); ++m) {
        if (!isCovered(models[m]))
            continue;
        layers = std::max(layers, models[m].layers());
        for (const std::size_t which : {std::size_t(0), std::size_t(1)})
            legend.push_back({(which == 0 ? "coverage" : "accumulated") + models[m].ofModel(),
                              curve(m, which), int(2 * m + which)});
        for (const char* name : {"coverage", "accumulated_coverage"})
            for (const double value : models[m].numbers(name, {models[m].layers()}).values)
                if (!std::isnan(value))
                    lowest = std::min(lowest, value);
    }
    const double low = std::max(0.0, std::floor(lowest * 10 - 0.2) / 10);
    Axis x{"layer l", 0.4, layers + 0.6, countTicks(layers, 16), false, true, false};
    Axis y{"PAR coverage", low, 1, niceTicks(low, 1, 5), false, true, true};
    const double above = drawLegendAbove(nullptr, x, y, wide, legend);
    Figure figure =
        emptyFigure(study, "par-coverage",
                    "PAR coverage of each layer, and of the mean of layers 1 … l (accumulated): min(PAR / "
                    "PAR_ref, 1) over each phone's 10 largest PAR_ref, mean over phones (Shim et al. 2022, "
                    "Eq. 6).",
                    wide, above + wide * 0.52 + 22);
    drawLegendAbove(&figure.scene, x, y, wide, legend);
    const auto room = Plot::margins(x, y);
    Plot plot(figure.scene, {room.left + 4, above, wide - room.left - 8, wide * 0.52}, x, y);
    figure.values = table("par-coverage", {{"model", "model", "", 0, true},
                                           {"layer", "layer", "", 0},
                                           {"coverage", "coverage", "", 3},
                                           {"accumulated", "accumulated", "", 3}});
    for (std::size_t m = 0; m < models.size(); ++m) {
        if (!isCovered(models[m]))
            continue;
        const auto each = models[m].numbers("coverage", {models[m].layers()}).values;
        const auto all = models[m].numbers("accumulated_coverage", {models[m].layers()}).values;
        std::vector<double> at;
        for (std::size_t layer = 0; layer < each.size(); ++layer) {
            at.push_back(double(layer) + 1);
            figure.values->rows.push_back(
                {models[m].model().name, at.back(), cell(each[layer]), cell(all[layer])});
        }
        for (const std::size_t which : {std::size_t(0), std::size_t(1)}) {
            const auto& values = which == 0 ? each : all;
            const Stroke stroke = curve(m, which);
            plot.line(at, values, stroke);
            for (std::size_t k = 0; k < at.size(); ++k)
                plot.marker(at[k], values[k], int(2 * m + which), stroke.colour);
        }
    }
    plot.close();
    return figure;
}

} // namespace

std::vector<Figure> phoneFigures(const Study& study, const StudyArrays& arrays, double width) {
    std::vector<Figure> figures;
    bool covered = false;
    for (const StudyView& view : views(study, arrays)) {
        const Numbers par = view.numbers("par", {view.layers(), view.heads(), 36, 36});
        const Numbers counts = view.optional("par_count", {36, 36});
        const Matrix<double> numbers = counts.empty() ? Matrix<double>() : counts.matrix({});
        figures.push_back(halves(view, par, numbers, width));
        figures.push_back(everyLayer(view, par, numbers, width));
        // A study without a reference has no coverage, the reference itself neither.
        covered = covered || isCovered(view);
    }
    if (covered)
        figures.push_back(coverage(study, arrays, width));
    return figures;
}

} // namespace headroom::figures
