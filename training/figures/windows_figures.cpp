// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/windows.h"
#include "training/figures/plot.h"
#include "training/figures/study_view.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace headroom::figures {

namespace {

struct LayerWindow {
    Moments statistic, loss;
    std::int64_t window = 1;
};

std::vector<LayerWindow> layerWindows(const StudyView& view) {
    const auto count = static_cast<std::int64_t>(view.study().utterances.size());
    const Numbers statistic = view.numbers("statistic", {view.layers(), count});
    const Numbers loss = view.numbers("loss", {view.layers(), count});
    std::vector<LayerWindow> result;
    for (int layer = 0; layer < view.layers(); ++layer) {
        LayerWindow one{Moments(statistic.row({layer})), Moments(loss.row({layer})), 0};
        if (one.statistic.n() > 0)
            one.window = windowFromStatistic(one.statistic.mean(), one.statistic.deviation());
        result.push_back(one);
    }
    return result;
}

/// D(1) of each layer where the study has it.
std::vector<double> diagonalShares(const StudyView& view) {
    const Numbers curve = view.optional("diagonality", {view.layers(), -1});
    std::vector<double> shares;
    for (int layer = 0; layer < view.layers(); ++layer)
        shares.push_back(curve.empty() ? std::nan("") : curve.at({layer, 0}));
    return shares;
}

/// Which number of Algorithm 1 the study recorded.
bool isAsPrinted(const Study& study) {
    return study.settings.is_object() && study.settings.value("statistic", nlohmann::json()) == "as-printed";
}

const std::string kWindowsFormula = "Windows by layer: w = ⌈μ + σ⌉ made odd upwards, μ and σ (population) of "
                             "Algorithm 1's number over utterances";
const std::string kLossFormula = "; CL(w) = 1 − D(w), mean ± std";
const std::string kWindowsPaper = " (Alastruey et al. 2022, §4.1).";

Figure windowsFigure(const Study& study, const StudyArrays& arrays, double width) {
    const double wide = width > 0 ? width : kColumn;
    const auto models = views(study, arrays);
    std::vector<std::vector<LayerWindow>> windows;
    double highest = 1;
    int layers = 1;
    for (const StudyView& view : models) {
        windows.push_back(layerWindows(view));
        layers = std::max(layers, view.layers());
        for (const LayerWindow& one : windows.back())
            if (one.window > 0)
                highest =
                    std::max({highest, double(one.window), one.statistic.mean() + one.statistic.deviation()});
    }
    std::vector<LegendEntry> legend;
    for (std::size_t m = 0; m < models.size(); ++m) {
        const std::string of = models[m].ofModel();
        legend.push_back({"w" + of, seriesStroke(m), int(m)});
        legend.push_back({"μ ± σ" + of, {seriesStroke(m).colour, 0, {}}, 4});
    }
    Axis x{"encoder layer", 0.4, layers + 0.6, countTicks(layers, 16), false, true, false};
    const double top = niceCeiling(highest * 1.04);
    Axis y{"tokens", 0, top, niceTicks(0, top, 5), false, true, true};
    const double above = drawLegendAbove(nullptr, x, y, wide, legend);
    Figure figure = emptyFigure(study, "windows", kWindowsFormula + kWindowsPaper, wide, above + wide * 0.5 + 22);
    drawLegendAbove(&figure.scene, x, y, wide, legend);
    const auto room = Plot::margins(x, y);
    Plot plot(figure.scene, {room.left + 4, above, wide - room.left - 8, wide * 0.5}, x, y);
    figure.values = table("windows", {{"model", "model", "", 0, true},
                                      {"layer", "layer", "", 0},
                                      {"mean", "μ", "", 2},
                                      {"std", "σ", "", 2},
                                      {"window", "w", "", 0},
                                      {"n", "n", "", 0}});
    for (std::size_t m = 0; m < models.size(); ++m) {
        std::vector<double> at, heights;
        const Stroke stroke = seriesStroke(m);
        const double aside = models.size() > 1 ? (double(m) - (models.size() - 1) / 2.0) * 0.16 : 0;
        for (std::size_t layer = 0; layer < windows[m].size(); ++layer) {
            const LayerWindow& one = windows[m][layer];
            const double place = double(layer) + 1 + aside;
            at.push_back(place);
            heights.push_back(one.window > 0 ? double(one.window) : std::nan(""));
            plot.errorBar(place, one.statistic.mean() - one.statistic.deviation(),
                          one.statistic.mean() + one.statistic.deviation(), {stroke.colour, 0.6, {}});
            plot.marker(place, one.statistic.mean(), 4, stroke.colour);
            figure.values->rows.push_back({models[m].model().name, double(layer + 1),
                                           cell(one.statistic.mean()), cell(one.statistic.deviation()),
                                           cell(heights.back()), double(one.statistic.n())});
        }
        plot.line(at, heights, stroke);
        for (std::size_t layer = 0; layer < at.size(); ++layer)
            plot.marker(at[layer], heights[layer], int(m), stroke.colour);
    }
    plot.close();
    return figure;
}

Figure lossFigure(const Study& study, const StudyArrays& arrays, double width) {
    const double wide = width > 0 ? width : kColumn;
    const auto models = views(study, arrays);
    int layers = 1;
    double highest = kFullAboveLoss * 1.2;
    std::vector<LegendEntry> legend;
    for (std::size_t m = 0; m < models.size(); ++m) {
        layers = std::max(layers, models[m].layers());
        legend.push_back({models[m].model().name, seriesStroke(m), int(m)});
        for (const LayerWindow& one : layerWindows(models[m]))
            if (one.window > 0)
                highest = std::max(highest, one.loss.mean() + one.loss.deviation());
    }
    if (models.size() < 2)
        legend.clear();
    const Stroke level{kText2, 0.6, {3, 2}};
    legend.push_back({"full attention above " + numberText(kFullAboveLoss, 2), level});
    const double top = niceCeiling(highest * 1.03);
    Axis x{"encoder layer", 0.4, layers + 0.6, countTicks(layers, 16), false, true, false};
    Axis y{"CL(w)", 0, top, niceTicks(0, top, 5), false, true, true};
    const double above = drawLegendAbove(nullptr, x, y, wide, legend);
    Figure figure =
        emptyFigure(study, "windows-loss",
                    "Contribution that each layer's own window w would cut off: CL(w) = 1 − D(w), mean ± std "
                    "(Alastruey et al. 2022, §3, Eq. 6). Above the dashed line the layer is left with full "
                    "attention.",
                    wide, above + wide * 0.5 + 22);
    drawLegendAbove(&figure.scene, x, y, wide, legend);
    const auto room = Plot::margins(x, y);
    Plot plot(figure.scene, {room.left + 4, above, wide - room.left - 8, wide * 0.5}, x, y);
    plot.levelLine(kFullAboveLoss, level);
    figure.values = table("windows-loss", {{"model", "model", "", 0, true},
                                           {"layer", "layer", "", 0},
                                           {"window", "w", "", 0},
                                           {"mean", "CL", "", 3},
                                           {"std", "std", "", 3}});
    for (std::size_t m = 0; m < models.size(); ++m) {
        std::vector<double> at, means;
        const Stroke stroke = seriesStroke(m);
        for (const LayerWindow& one : layerWindows(models[m])) {
            at.push_back(double(at.size()) + 1);
            means.push_back(one.loss.mean());
            plot.errorBar(at.back(), one.loss.mean() - one.loss.deviation(), one.loss.mean() + one.loss.deviation(),
                          {stroke.colour, 0.6, {}});
            figure.values->rows.push_back({models[m].model().name, at.back(),
                                           one.window > 0 ? StudyCell(double(one.window)) : StudyCell(),
                                           cell(one.loss.mean()), cell(one.loss.deviation())});
        }
        plot.line(at, means, stroke);
        for (std::size_t layer = 0; layer < at.size(); ++layer)
            plot.marker(at[layer], means[layer], int(m), stroke.colour);
    }
    plot.close();
    return figure;
}

Figure histograms(const StudyView& view, double width) {
    const double wide = width > 0 ? width : kPage;
    const auto count = static_cast<std::int64_t>(view.study().utterances.size());
    const Numbers statistic = view.numbers("statistic", {view.layers(), count});
    const auto windows = layerWindows(view);
    // Algorithm 1's numbers are all even or all odd, so bins of 2 centred on them lose nothing.
    std::vector<std::map<double, double>> bins(static_cast<std::size_t>(view.layers()));
    for (int layer = 0; layer < view.layers(); ++layer)
        for (const double value : statistic.row({layer}))
            if (!std::isnan(value))
                ++bins[static_cast<std::size_t>(layer)][value];
    const int across = wide < 300 ? 2 : 4;
    const PanelGrid grid = panelGrid(view.layers(), across, wide, 30, 6, 12, 20, 24, 0.55);
    Figure figure = emptyFigure(
        view.study(), view.fileName("windows-histograms"),
        std::string("Algorithm 1's number (2 · the last offset at which either diagonal has a mean above t") +
            (isAsPrinted(view.study()) ? ", + 1: as printed" : "") +
            ") over utterances, one panel per layer" + view.ofModel() +
            "; line: μ, dashed: the window w = ⌈μ + σ⌉ made odd (Alastruey et al. 2022, §4.1).",
        wide, grid.bottom() + 22);
    figure.values =
        table("windows-histograms",
              {{"layer", "layer", "", 0}, {"value", "tokens", "", 0}, {"utterances", "utterances", "", 0}});
    double last = 4; // one axis for all, so that windows can be compared by eye
    for (int layer = 0; layer < view.layers(); ++layer) {
        last = std::max(last, double(windows[static_cast<std::size_t>(layer)].window));
        for (const auto& [value, number] : bins[static_cast<std::size_t>(layer)])
            last = std::max(last, value);
    }
    last = niceCeiling(last + 1);
    const auto topOf = [&](int layer) {
        double highest = 1;
        for (const auto& [value, number] : bins[static_cast<std::size_t>(layer)])
            highest = std::max(highest, number);
        return niceCeiling(highest * 1.05);
    };
    const auto ticksOf = [&](int layer) { return niceTicks(0, topOf(layer), 3, 1); };
    std::vector<std::string> labels; // of the first column, whose axes have a title
    for (int layer = 0; layer < view.layers(); layer += grid.columns)
        for (const std::string& label : ticksOf(layer).labels)
            labels.push_back(label);
    for (int layer = 0; layer < view.layers(); ++layer) {
        const auto& counts = bins[static_cast<std::size_t>(layer)];
        const LayerWindow& one = windows[static_cast<std::size_t>(layer)];
        for (const auto& [value, number] : counts)
            figure.values->rows.push_back({double(layer + 1), value, number});
        const bool lowest = layer + grid.columns >= view.layers();
        Axis x{lowest ? "tokens" : "", -2, last, niceTicks(0, last, 4), false, true, false};
        Axis y{layer % grid.columns == 0 ? "utterances" : "", 0, topOf(layer), ticksOf(layer), false, true, true, labels};
        Plot plot(figure.scene, grid.panel(layer), x, y);
        for (const auto& [value, number] : counts)
            plot.bar(value - 0.85, value + 0.85, number, kAccent.withAlpha(0.75));
        if (one.statistic.n() > 0) {
            plot.uprightLine(one.statistic.mean(), {kText, 0.7, {}});
            plot.uprightLine(double(one.window), {rgb(0xb55631), 0.8, {3, 1.6}});
        }
        plot.title({"layer " + std::to_string(layer + 1) +
                    (one.statistic.n() > 0 ? ", w = " + std::to_string(one.window) : ", not measured")});
        plot.close();
    }
    return figure;
}

std::string plusMinus(const Moments& value, int decimals) {
    return numberText(value.mean(), decimals) + " ± " + numberText(value.deviation(), decimals);
}

} // namespace

std::vector<Figure> windowsFigures(const Study& study, const StudyArrays& arrays, double width) {
    std::vector<Figure> figures{windowsFigure(study, arrays, width), lossFigure(study, arrays, width)};
    for (const StudyView& view : views(study, arrays))
        figures.push_back(histograms(view, width));
    return figures;
}

StudyTable windowsTable(const StudyView& view) {
    StudyTable result = table(view.fileName("windows-table"), {{"layer", "Layer", "", 0},
                                                               {"statistic", "μ ± σ", "", 2, true},
                                                               {"window", "w", "", 0},
                                                               {"loss", "CL ± std", "", 2, true},
                                                               {"diagonal", "D(1)", "", 2}});
    result.title = "Windows" + view.ofModel();
    result.caption = kWindowsFormula + kLossFormula + kWindowsPaper + " * Full attention: its window would lose more than " +
                     numberText(kFullAboveLoss, 2) + ". " + provenance(view.study());
    const auto shares = diagonalShares(view);
    int layer = 0;
    for (const LayerWindow& one : layerWindows(view)) {
        const bool full = one.loss.mean() > kFullAboveLoss;
        result.rows.push_back({double(layer + 1), plusMinus(one.statistic, 2),
                               one.window > 0 ? StudyCell(double(one.window)) : StudyCell(),
                               plusMinus(one.loss, 2) + (full ? " *" : ""),
                               cell(shares[std::size_t(layer)])});
        ++layer;
    }
    return result;
}

} // namespace headroom::figures
