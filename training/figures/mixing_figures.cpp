// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/mixing.h"
#include "core/errors/error.h"
#include "training/figures/plot.h"
#include "training/figures/study_view.h"

#include <algorithm>
#include <cmath>

namespace headroom::figures {

namespace {

/// One curve over the layers, with the numbers of each utterance behind every point.
struct MixingCurve {
    std::string name;
    std::function<std::vector<double>(const Numbers&, int layer)> values; ///< by utterance; layer from 0
};

std::vector<std::string> measureTitles(const Study& study) {
    std::vector<std::string> titles;
    const auto names = study.settings.find("measures");
    if (names == study.settings.end() || !names->is_string())
        throw Error("figures.missing", "The study does not say which measures it compared.");
    for (const MixingMeasure& measure : mixingMeasures(names->get<std::string>()))
        titles.push_back((measure.rollout ? "rollout of " : "") + std::string(factsOf(measure.kind).title));
    return titles;
}

/// Mean over utterances by layer with its 95 % interval, one panel per model.
Figure curvesByLayer(const Study& study, const StudyArrays& arrays, double width, const std::string& name,
                     const std::string& formula, const std::string& axis, const std::string& array,
                     std::initializer_list<std::int64_t> inner, double floor,
                     const std::vector<MixingCurve>& curves) {
    const auto models = views(study, arrays);
    const double wide = width > 0 ? width : models.size() > 1 ? kPage : kColumn;
    std::vector<LegendEntry> legend;
    for (std::size_t c = 0; c < curves.size(); ++c)
        legend.push_back({curves[c].name, seriesStroke(c), static_cast<int>(c)});
    const double legendHeight = drawLegend(nullptr, {}, wide - 38, legend);
    const PanelGrid grid =
        panelGrid(int(models.size()), std::min<int>(int(models.size()), wide < 300 ? 1 : 3), wide, 32, 6,
                  legendHeight + (models.size() > 1 ? 18 : 8), 24, 40, models.size() > 1 ? 0.72 : 0.62);
    Figure figure = emptyFigure(study, name, formula, wide, grid.bottom() + 22);
    drawLegend(&figure.scene, {32, 3}, wide - 38, legend);
    figure.values = table(name, {{"model", "model", "", 0, true},
                                 {"curve", "curve", "", 0, true},
                                 {"layer", "layer", "", 0},
                                 {"mean", axis, "", 3},
                                 {"low", "95 % low", "", 3},
                                 {"high", "95 % high", "", 3},
                                 {"n", "n", "", 0}});
    std::vector<Numbers> numbers;
    double low = 1;
    for (const StudyView& view : models) {
        std::vector<std::int64_t> shape{view.layers()};
        shape.insert(shape.end(), inner.begin(), inner.end());
        numbers.push_back(shape.size() == 4 ? view.numbers(array, {shape[0], shape[1], shape[2], shape[3]})
                                            : view.numbers(array, {shape[0], shape[1], shape[2]}));
        for (const MixingCurve& curve : curves)
            for (int layer = 0; layer < view.layers(); ++layer)
                for (const std::vector<double> values = curve.values(numbers.back(), layer);
                     const double one : {Moments(values).mean(), meanInterval(study, values).low})
                    if (!std::isnan(one))
                        low = std::min(low, one);
    }
    low = std::clamp(std::floor(low * 5) / 5, floor, 0.8);
    for (std::size_t m = 0; m < models.size(); ++m) {
        const int layers = models[m].layers();
        Axis x{"encoder layer", 0.4, layers + 0.6, countTicks(layers, 16), false, true, false};
        Axis y{m % std::size_t(grid.columns) == 0 ? axis : "", low, 1, niceTicks(low, 1, 5), false, true, true};
        Plot plot(figure.scene, grid.panel(int(m)), x, y);
        for (std::size_t c = 0; c < curves.size(); ++c) {
            std::vector<double> at, means;
            for (int layer = 0; layer < layers; ++layer) {
                const std::vector<double> values = curves[c].values(numbers[m], layer);
                const Moments one(values);
                const Interval95 interval = meanInterval(study, values);
                at.push_back(layer + 1);
                means.push_back(one.mean());
                if (one.n() > 0) {
                    plot.errorBar(at.back(), interval.low, interval.high, {seriesStroke(c).colour, 0.6, {}});
                    plot.marker(at.back(), one.mean(), int(c), seriesStroke(c).colour);
                }
                figure.values->rows.push_back({models[m].model().name, curves[c].name, double(layer + 1),
                                               cell(one.mean()), cell(interval.low), cell(interval.high),
                                               double(one.n())});
            }
            plot.line(at, means, seriesStroke(c));
        }
        if (models.size() > 1)
            plot.title({models[m].model().name});
        plot.close();
    }
    return figure;
}

} // namespace

std::vector<Figure> mixingFigures(const Study& study, const StudyArrays& arrays, double width) {
    const std::vector<std::string> titles = measureTitles(study);
    const auto count = static_cast<std::int64_t>(titles.size());
    std::vector<Figure> figures;
    // With the measure that computes the layer again, if it is there; otherwise with the first.
    std::size_t against = 0;
    for (std::size_t m = 0; m < titles.size(); ++m)
        if (titles[m] == factsOf(Mixing::ValueZeroing).title)
            against = m;
    std::vector<MixingCurve> pairs, own;
    for (std::size_t m = 0; m < titles.size(); ++m) {
        const auto index = static_cast<std::int64_t>(m), other = static_cast<std::int64_t>(against);
        if (m != against)
            pairs.push_back({titles[m], [=](const Numbers& numbers, int layer) {
                                 return numbers.row({layer, other, index});
                             }});
        own.push_back({titles[m], [=](const Numbers& numbers, int layer) {
                           return numbers.row({layer, index});
                       }});
    }
    std::string without;
    for (const StudyView& view : views(study, arrays)) {
        const Numbers rho = view.numbers("rho", {view.layers(), count, count, -1});
        const std::string text = withoutRanksText(view.numbers("ccd", {view.layers(), count, -1}).values, rho.values,
                                                  titles.size(), static_cast<std::size_t>(rho.extent(3)));
        if (!text.empty())
            without += " " + (study.models.size() > 1 ? view.model().name + ": " : std::string()) + text;
    }
    if (!pairs.empty())
        figures.push_back(curvesByLayer(
            study, arrays, width, "mixing-ranks",
            "Spearman's ρ of each measure of mixing with " + titles[against] +
                ", of the rows of their maps, by layer: mean over utterances with its 95 % interval (bootstrap)." + without,
            "ρ", "rho", {count, count, -1}, -1, pairs));
    figures.push_back(curvesByLayer(study, arrays, width, "mixing-ccd",
                                    "CCD (Alastruey et al. 2022, Eq. 7) of the map of each measure of mixing, by "
                                    "layer: mean over utterances with its 95 % interval (bootstrap).",
                                    "CCD", "ccd", {count, -1}, 0, own));
    return figures;
}

} // namespace headroom::figures
