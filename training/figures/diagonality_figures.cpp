// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/figures/plot.h"
#include "training/figures/study_view.h"

#include <algorithm>
#include <cmath>

namespace headroom::figures {

namespace {

/// Maps without weights have attention only, and the study says which was measured.
bool isAttention(const Study& study) {
    return study.settings.is_object() && study.settings.value("source", nlohmann::json()) == "attention";
}

std::string diagonalityFormula(const Study& study) {
    return isAttention(study)
               ? "D(w) = (1/N) Σ_i Σ_{|i−j| ≤ ⌊w/2⌋} A_ij, the share of attention (mean over heads) within a "
                 "window of w tokens (Alastruey et al. 2022, Eq. 6, of attention weights)"
               : "D(w) = (1/N) Σ_i Σ_{|i−j| ≤ ⌊w/2⌋} C_ij, the share of contributions within a window of w "
                 "tokens, "
                 "rows of C summing to 1 (Alastruey et al. 2022, Eq. 6)";
}

/// The first window at which every layer has nearly everything, so that the axis ends there.
double lastWindow(const Numbers& grid, const Numbers& curves) {
    for (std::int64_t k = 0; k < grid.extent(0); ++k) {
        double least = 1;
        for (std::int64_t layer = 0; layer < curves.extent(0); ++layer)
            if (!std::isnan(curves.at({layer, k})))
                least = std::min(least, curves.at({layer, k}));
        if (least > 0.995)
            return std::max(grid.at({k}), 2.0);
    }
    return std::max(grid.values.back(), 2.0);
}

/// Where the axis of D(w) begins: a multiple of 0.2 below everything.
double lowestShare(const std::vector<StudyView>& models) {
    double low = 1;
    for (const StudyView& view : models) {
        const Numbers mean = view.numbers("diagonality", {view.layers(), -1});
        const Numbers deviation = view.numbers("diagonality_std", {view.layers(), -1});
        for (std::size_t k = 0; k < mean.values.size(); ++k)
            if (!std::isnan(mean.values[k] - deviation.values[k]))
                low = std::min(low, mean.values[k] - deviation.values[k]);
    }
    return std::clamp(std::floor(low * 5) / 5, 0.0, 0.8);
}

/// Every layer's D(w), one panel per model.
Figure curves(const Study& study, const StudyArrays& arrays, double width) {
    const auto models = views(study, arrays);
    const double wide = width > 0 ? width : models.size() > 1 ? kPage : kColumn;
    int layers = 1;
    for (const StudyView& view : models)
        layers = std::max(layers, view.layers());
    std::vector<LegendEntry> legend;
    for (int layer = 1; layer <= layers; ++layer)
        legend.push_back({(layer == 1 ? "layer " : "") + std::to_string(layer), layerStroke(layer, layers)});
    const double legendHeight = drawLegend(nullptr, {}, wide - 38, legend);
    const PanelGrid grid =
        panelGrid(int(models.size()), std::min<int>(int(models.size()), wide < 300 ? 1 : 3), wide, 32, 6,
                  legendHeight + (models.size() > 1 ? 18 : 8), 24, 40, models.size() > 1 ? 0.72 : 0.62);
    Figure figure =
        emptyFigure(study, "diagonality", diagonalityFormula(study) + ", mean over utterances, by layer.",
                    wide, grid.bottom() + 22);
    drawLegend(&figure.scene, {32, 3}, wide - 38, legend);
    const double least = lowestShare(models);
    figure.values = table("diagonality", {{"model", "model", "", 0, true},
                                          {"layer", "layer", "", 0},
                                          {"window", "w", "", 0},
                                          {"mean", "D", "", 3},
                                          {"std", "std", "", 3}});
    for (std::size_t m = 0; m < models.size(); ++m) {
        const Numbers windows = models[m].numbers("window_grid", {-1});
        const Numbers mean = models[m].numbers("diagonality", {models[m].layers(), windows.extent(0)});
        const Numbers deviation =
            models[m].numbers("diagonality_std", {models[m].layers(), windows.extent(0)});
        const double last = lastWindow(windows, mean);
        Axis x{"window w, tokens", 1, last, logTicks(1, last), true, true, true};
        Axis y{m % std::size_t(grid.columns) == 0 ? "D(w)" : "",
               least,
               1,
               niceTicks(least, 1, 5),
               false,
               true,
               true};
        Plot plot(figure.scene, grid.panel(int(m)), x, y);
        for (int layer = 0; layer < models[m].layers(); ++layer) {
            plot.line(windows.values, mean.row({layer}), layerStroke(layer + 1, layers)); // as in the legend of all panels
            for (std::int64_t k = 0; k < windows.extent(0); ++k)
                figure.values->rows.push_back({models[m].model().name, double(layer + 1), windows.at({k}),
                                               cell(mean.at({layer, k})), cell(deviation.at({layer, k}))});
        }
        if (models.size() > 1)
            plot.title({models[m].model().name});
        plot.close();
    }
    return figure;
}

/// One panel per layer, the models together, each with its spread.
Figure layerPanels(const Study& study, const StudyArrays& arrays, double width) {
    const auto models = views(study, arrays);
    const double wide = width > 0 ? width : kPage;
    int layers = 1;
    double last = 2;
    std::vector<LegendEntry> legend;
    for (std::size_t m = 0; m < models.size(); ++m) {
        layers = std::max(layers, models[m].layers());
        legend.push_back({models[m].model().name, seriesStroke(m)});
        const Numbers windows = models[m].numbers("window_grid", {-1});
        last =
            std::max(last, lastWindow(windows, models[m].numbers("diagonality", {models[m].layers(), -1})));
    }
    legend.push_back({"mean ± std over utterances", {kAccent.withAlpha(0.25), 1, {}}, -1, true});
    const PanelGrid grid = panelGrid(layers, wide < 300 ? 2 : 4, wide, 30, 6,
                                     drawLegend(nullptr, {}, wide - 36, legend) + 16, 14, 20, 0.62);
    Figure figure = emptyFigure(study, "diagonality-layers",
                                diagonalityFormula(study) +
                                    ", mean ± std over utterances, one panel per layer.",
                                wide, grid.bottom() + 22);
    drawLegend(&figure.scene, {30, 2}, wide - 36, legend);
    const double least = lowestShare(models);
    figure.values = table("diagonality-layers", {{"model", "model", "", 0, true},
                                                 {"layer", "layer", "", 0},
                                                 {"window", "w", "", 0},
                                                 {"mean", "D", "", 3},
                                                 {"std", "std", "", 3}});
    for (int layer = 0; layer < layers; ++layer) {
        const bool lowest = layer + grid.columns >= layers, first = layer % grid.columns == 0;
        Axis x{lowest ? "window w, tokens" : "", 1, last, logTicks(1, last, 6), true, lowest, true};
        Axis y{first ? "D(w)" : "", least, 1, niceTicks(least, 1, 3), false, first, true};
        Plot plot(figure.scene, grid.panel(layer), x, y);
        for (std::size_t m = 0; m < models.size(); ++m) {
            if (layer >= models[m].layers())
                continue;
            const Numbers windows = models[m].numbers("window_grid", {-1});
            const auto mean =
                models[m].numbers("diagonality", {models[m].layers(), windows.extent(0)}).row({layer});
            const auto deviation =
                models[m].numbers("diagonality_std", {models[m].layers(), windows.extent(0)}).row({layer});
            std::vector<double> low, high;
            for (std::size_t k = 0; k < mean.size(); ++k) {
                low.push_back(mean[k] - deviation[k]);
                high.push_back(mean[k] + deviation[k]);
                figure.values->rows.push_back({models[m].model().name, double(layer + 1), windows.values[k],
                                               cell(mean[k]), cell(deviation[k])});
            }
            plot.band(windows.values, low, high, seriesStroke(m).colour.withAlpha(0.22));
            plot.line(windows.values, mean, seriesStroke(m, kThinCurveWidth));
        }
        plot.title({"layer " + std::to_string(layer + 1)});
        plot.close();
    }
    return figure;
}

/// A number per layer and utterance: mean ± std by layer, several models.
Figure meanByLayer(const Study& study, const StudyArrays& arrays, double width, const std::string& array,
               const std::string& name, const std::string& formula, const std::string& axis) {
    const auto models = views(study, arrays);
    const double wide = width > 0 ? width : kColumn;
    int layers = 1;
    double lowest = 1, highest = 0;
    std::vector<LegendEntry> legend;
    for (std::size_t m = 0; m < models.size(); ++m) {
        layers = std::max(layers, models[m].layers());
        legend.push_back({models[m].model().name, seriesStroke(m), int(m)});
        const Numbers values = models[m].numbers(array, {models[m].layers(), -1});
        for (int layer = 0; layer < models[m].layers(); ++layer) {
            const Moments one(values.row({layer}));
            if (one.n() > 0) {
                lowest = std::min(lowest, one.mean() - one.deviation());
                highest = std::max(highest, one.mean() + one.deviation());
            }
        }
    }
    const double step = highest - lowest > 0.3 ? 0.2 : 0.1;
    const double low = std::max(0.0, std::floor(lowest / step + 1e-9) * step);
    const double high = std::max(low + step, std::min(1.0, std::ceil(highest / step - 1e-9) * step));
    Axis x{"encoder layer", 0.4, layers + 0.6, countTicks(layers, 16), false, true, false};
    Axis y{axis, low, high, niceTicks(low, high, 5), false, true, true};
    const double above = drawLegendAbove(nullptr, x, y, wide, legend);
    Figure figure = emptyFigure(study, name, formula, wide, above + wide * 0.52 + 22);
    drawLegendAbove(&figure.scene, x, y, wide, legend);
    const auto room = Plot::margins(x, y);
    Plot plot(figure.scene, {room.left + 4, above, wide - room.left - 8, wide * 0.52}, x, y);
    figure.values = table(name, {{"model", "model", "", 0, true},
                                 {"layer", "layer", "", 0},
                                 {"mean", axis, "", 3},
                                 {"std", "std", "", 3},
                                 {"low", "95 % low", "", 3},
                                 {"high", "95 % high", "", 3},
                                 {"n", "n", "", 0}});
    for (std::size_t m = 0; m < models.size(); ++m) {
        const Numbers values = models[m].numbers(array, {models[m].layers(), -1});
        std::vector<double> at, means, least, most;
        std::vector<Interval95> intervals;
        for (int layer = 0; layer < models[m].layers(); ++layer) {
            const Moments one(values.row({layer}));
            const Interval95 interval = meanInterval(study, values.row({layer}));
            intervals.push_back(interval);
            at.push_back(layer + 1);
            means.push_back(one.mean());
            least.push_back(one.mean() - one.deviation());
            most.push_back(one.mean() + one.deviation());
            figure.values->rows.push_back({models[m].model().name, double(layer + 1), cell(one.mean()),
                                           cell(one.deviation()), cell(interval.low), cell(interval.high),
                                           double(one.n())});
        }
        plot.band(at, least, most, seriesStroke(m).colour.withAlpha(0.14));
        plot.line(at, means, seriesStroke(m));
        for (std::size_t layer = 0; layer < at.size(); ++layer) {
            plot.errorBar(at[layer], intervals[layer].low, intervals[layer].high,
                          {seriesStroke(m).colour, 0.6, {}});
            plot.marker(at[layer], means[layer], int(m), seriesStroke(m).colour);
        }
    }
    plot.close();
    return figure;
}

} // namespace

std::vector<Figure> diagonalityFigures(const Study& study, const StudyArrays& arrays, double width) {
    std::vector<Figure> figures{curves(study, arrays, width), layerPanels(study, arrays, width)};
    if (study.kind != StudyKind::Diagonality)
        return figures;
    figures.push_back(
        meanByLayer(study, arrays, width, "ccd", "ccd",
                "CCD, the mean of D(w) over w = 1 … 2N (Alastruey et al. 2022, Eq. 7), by layer: mean over "
                "utterances with its 95 % interval (bootstrap), shaded ± std.",
                "CCD"));
    figures.push_back(meanByLayer(
        study, arrays, width, "diagonal_share", "diagonal-share",
        isAttention(study)
            ? "D(1), the share of attention (mean over heads) on the main diagonal, by layer: mean over "
              "utterances with its 95 % interval (bootstrap), shaded ± std."
            : "D(1), the share of contributions on the main diagonal (Alastruey et al. 2022, Eq. 6), by "
              "layer: mean over utterances with its 95 % interval (bootstrap), shaded ± std.",
        "D(1)"));
    return figures;
}

} // namespace headroom::figures
