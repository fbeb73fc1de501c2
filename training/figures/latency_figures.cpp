// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/statistics/quantiles.h"
#include "training/figures/plot.h"
#include "training/figures/study_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headroom::figures {

namespace {

constexpr const char* kParts[] = {"attention", "rest", "total"};

struct Timing {
    double median = 0, lower = 0, upper = 0; ///< of the repeats: median and quartiles, which one slow pass does not move
};

Timing timingOf(std::vector<double> repeats) {
    const FiveNumbers all = fiveNumbers(std::move(repeats));
    return {all.median, all.lower, all.upper};
}

const std::string kLatencyFormula =
    "Time of a forward pass through the encoder by length, split into attention and the rest: median of the repeats after warm-up";

/// Attention and the rest of every layer at the longest length, stacked.
Figure timeByLayer(const StudyView& view, double width) {
    const double wide = width > 0 ? width : kColumn;
    const Numbers lengths = view.numbers("lengths", {-1});
    const Numbers times = view.numbers("layer_milliseconds", {lengths.extent(0), view.layers(), 2, -1});
    const std::int64_t longest = lengths.extent(0) - 1;
    Figure figure = emptyFigure(view.study(), view.fileName("latency-layers"),
                                "Time of each layer at " + numberText(lengths.at({longest}), 0) + " tokens" +
                                    view.ofModel() + ": attention and, on top of it, the rest; medians.",
                                wide, wide * 0.5 + 39);
    figure.values = table("latency-layers", {{"tokens", "tokens", "", 0},
                                             {"layer", "layer", "", 0},
                                             {"attention", "attention", "ms", 3},
                                             {"rest", "rest", "ms", 3}});
    double highest = 0;
    for (std::int64_t layer = 0; layer < view.layers(); ++layer) {
        const double attention = timingOf(times.row({longest, layer, 0})).median;
        const double rest = timingOf(times.row({longest, layer, 1})).median;
        if (!std::isnan(attention + rest))
            highest = std::max(highest, attention + rest);
        figure.values->rows.push_back(
            {lengths.at({longest}), double(layer + 1), cell(attention), cell(rest)});
    }
    const double top = niceCeiling(highest * 1.02);
    Axis x{"encoder layer", 0.4, view.layers() + 0.6, countTicks(view.layers(), 16), false, true, false};
    Axis y{"ms", 0, top, niceTicks(0, top, 5), false, true, true};
    const std::vector<LegendEntry> legend{{"attention", {kAccent, 1, {}}, -1, true},
                                          {"rest", {kLine, 1, {}}, -1, true}};
    const auto room = Plot::margins(x, y);
    drawLegend(&figure.scene, {room.left + 4, 4}, wide - room.left - 8, legend);
    Plot plot(figure.scene, {room.left + 4, 17, wide - room.left - 10, wide * 0.5}, x, y);
    for (std::int64_t layer = 0; layer < view.layers(); ++layer) {
        const double attention = timingOf(times.row({longest, layer, 0})).median;
        plot.bar(double(layer) + 0.65, double(layer) + 1.35,
                 attention + timingOf(times.row({longest, layer, 1})).median, kLine);
        plot.bar(double(layer) + 0.65, double(layer) + 1.35, attention, kAccent);
    }
    plot.close();
    return figure;
}

} // namespace

StudyTable latencyTable(const StudyView& view) {
    StudyTable result = table(view.fileName("latency-table"), {{"tokens", "Tokens", "", 0},
                                                               {"attention", "Attention", "ms", 2},
                                                               {"rest", "Rest", "ms", 2},
                                                               {"total", "Total", "ms", 2},
                                                               {"share", "Attention", "%", 1}});
    result.title = "Latency" + view.ofModel();
    result.caption = kLatencyFormula + " (Shim et al. 2022, Table 3). " + provenance(view.study());
    const Numbers lengths = view.numbers("lengths", {-1});
    const Numbers times = view.numbers("milliseconds", {lengths.extent(0), 3, -1});
    for (std::int64_t k = 0; k < lengths.extent(0); ++k) {
        double medians[3];
        for (int part = 0; part < 3; ++part)
            medians[part] = timingOf(times.row({k, part})).median;
        // The median of the shares, as in the study's own table; not the share of the medians.
        std::vector<double> shares = times.row({k, 0});
        const auto totals = times.row({k, 2});
        for (std::size_t repeat = 0; repeat < shares.size(); ++repeat)
            shares[repeat] /= totals[repeat];
        result.rows.push_back({lengths.at({k}), cell(medians[0]), cell(medians[1]), cell(medians[2]),
                               cell(100 * timingOf(shares).median)});
    }
    return result;
}

std::vector<Figure> latencyFigures(const Study& study, const StudyArrays& arrays, double width) {
    const auto models = views(study, arrays);
    const double wide = width > 0 ? width : models.size() > 1 ? kPage : kColumn;
    double longest = 1, slowest = 0;
    for (const StudyView& view : models) {
        const Numbers lengths = view.numbers("lengths", {-1});
        for (const double length : lengths.values)
            longest = std::max(longest, length);
        const Numbers times = view.numbers("milliseconds", {lengths.extent(0), 3, -1});
        for (std::int64_t k = 0; k < lengths.extent(0); ++k)
            for (int part = 0; part < 3; ++part)
                if (const double upper = timingOf(times.row({k, part})).upper; !std::isnan(upper))
                    slowest = std::max(slowest, upper);
    }
    std::vector<LegendEntry> legend;
    for (int part = 0; part < 3; ++part)
        legend.push_back({kParts[part], seriesStroke(std::size_t(part)), part});
    const PanelGrid grid = panelGrid(int(models.size()), wide < 300 ? 1 : 3, wide, 28, 8,
                                     models.size() > 1 ? 26 : 16, 26, 40, models.size() > 1 ? 0.8 : 0.6);
    Figure figure =
        emptyFigure(study, "latency", kLatencyFormula +
            "; bars: quartiles (Shim et al. 2022, Table 3).",
                    wide, grid.bottom() + 22);
    drawLegend(&figure.scene, {28, 3}, wide - 40, legend);
    figure.values = table("latency", {{"model", "model", "", 0, true},
                                      {"tokens", "tokens", "", 0},
                                      {"part", "part", "", 0, true},
                                      {"median", "median", "ms", 2},
                                      {"lower_quartile", "lower quartile", "ms", 2},
                                      {"upper_quartile", "upper quartile", "ms", 2}});
    const double top = niceCeiling(slowest * 1.02), right = niceCeiling(longest);
    for (std::size_t m = 0; m < models.size(); ++m) {
        const Numbers lengths = models[m].numbers("lengths", {-1});
        const Numbers times = models[m].numbers("milliseconds", {lengths.extent(0), 3, -1});
        const bool first = int(m) % grid.columns == 0;
        Axis x{"tokens", 0, right, niceTicks(0, right, 5), false, true, true};
        Axis y{first ? "ms" : "", 0, top, niceTicks(0, top, 5), false, true, true};
        Plot plot(figure.scene, grid.panel(int(m)), x, y);
        for (int part = 0; part < 3; ++part) {
            const Stroke stroke = seriesStroke(std::size_t(part));
            std::vector<double> medians;
            for (std::int64_t k = 0; k < lengths.extent(0); ++k) {
                const Timing one = timingOf(times.row({k, part}));
                medians.push_back(one.median);
                plot.errorBar(lengths.at({k}), one.lower, one.upper, {stroke.colour, 0.6, {}});
                figure.values->rows.push_back({models[m].model().name, lengths.at({k}),
                                               std::string(kParts[part]), cell(one.median), cell(one.lower),
                                               cell(one.upper)});
            }
            plot.line(lengths.values, medians, stroke);
            for (std::size_t k = 0; k < medians.size(); ++k)
                plot.marker(lengths.values[k], medians[k], part, stroke.colour);
        }
        if (models.size() > 1)
            plot.title({models[m].model().name});
        plot.close();
    }
    std::vector<Figure> figures{figure};
    for (const StudyView& view : models)
        if (view.layers() > 0 && !view.optional("layer_milliseconds", {-1, view.layers(), 2, -1}).empty())
            figures.push_back(timeByLayer(view, width));
    return figures;
}

} // namespace headroom::figures
