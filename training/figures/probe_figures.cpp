// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/figures/phone_matrix.h"
#include "training/figures/study_view.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

namespace headroom::figures {

namespace {

/// Whether no voice is on both sides of the split that the study stored: every utterance that took part says whose it is.
bool testsNewSpeakers(const StudyView& view) {
    const auto& utterances = view.study().utterances;
    const Numbers sides = view.optional("test", {static_cast<std::int64_t>(utterances.size())}); // 1, 0; −1: on neither
    std::set<std::string> bySide[2];
    for (std::size_t u = 0; u < sides.values.size(); ++u)
        if (sides.values[u] >= 0)
            bySide[sides.values[u] > 0].insert(utterances[u].speaker);
    const auto& [trained, tested] = bySide;
    const auto isTrained = [&](const std::string& speaker) { return trained.contains(speaker); };
    return !sides.empty() && !trained.contains("") && !tested.contains("") && std::none_of(tested.begin(), tested.end(), isTrained);
}

Figure accuracy(const Study& study, const StudyArrays& arrays, double width) {
    const auto models = views(study, arrays);
    const double wide = width > 0 ? width : kColumn;
    std::vector<LegendEntry> legend;
    int layers = 1;
    double lowest = 100, highest = 0;
    for (std::size_t m = 0; m < models.size(); ++m) {
        layers = std::max(layers, models[m].layers());
        legend.push_back({models[m].model().name, seriesStroke(m), int(m)});
        for (const double value : models[m].numbers("accuracy", {models[m].layers() + 1, -1}).values)
            if (!std::isnan(value)) {
                lowest = std::min(lowest, 100 * value);
                highest = std::max(highest, 100 * value);
            }
    }
    if (models.size() < 2)
        legend.clear();
    // What guessing the most frequent class would reach: the axis begins there at the latest.
    const Numbers majority = models.front().optional("majority", {1});
    const Stroke level{kText2, 0.6, {3, 2}};
    if (!majority.empty()) {
        lowest = std::min(lowest, 100 * majority.values.front());
        legend.push_back({"most frequent class, " + numberText(100 * majority.values.front(), 1) + " %", level});
    }
    const double low = std::max(0.0, std::floor(lowest / 10 - 0.05) * 10);
    const double high = std::clamp(std::ceil(highest / 10 + 0.05) * 10, low + 10, 100.0);
    Ticks ticks = countTicks(layers, 12);
    ticks.at.insert(ticks.at.begin(), 0);
    ticks.labels.insert(ticks.labels.begin(), "0");
    Axis x{"layer", -0.5, layers + 0.5, ticks, false, true, false};
    Axis y{"accuracy, %", low, high, niceTicks(low, high, 5), false, true, true};
    const double above = legend.empty() ? 6 : drawLegendAbove(nullptr, x, y, wide, legend);
    Figure figure =
        emptyFigure(study, "probe-accuracy",
                    "Phone classification from each layer's output by one linear layer (37 classes, test " +
                        std::string(std::all_of(models.begin(), models.end(), testsNewSpeakers) ? "speakers unseen in training"
                                                            : "utterances unseen in training, of voices that may be known") +
                        "; layer 0: the input of layer 1), mean ± std over seeds (Shim et al. 2022).",
                    wide, above + wide * 0.52 + 22);
    drawLegendAbove(&figure.scene, x, y, wide, legend);
    const auto room = Plot::margins(x, y);
    Plot plot(figure.scene, {room.left + 4, above, wide - room.left - 8, wide * 0.52}, x, y);
    if (!majority.empty())
        plot.levelLine(100 * majority.values.front(), level);
    figure.values = table("probe-accuracy", {{"model", "model", "", 0, true},
                                             {"layer", "layer", "", 0},
                                             {"accuracy", "accuracy", "%", 1},
                                             {"std", "std", "%", 1},
                                             {"seeds", "seeds", "", 0}});
    for (std::size_t m = 0; m < models.size(); ++m) {
        const Numbers values = models[m].numbers("accuracy", {models[m].layers() + 1, -1});
        const Stroke stroke = seriesStroke(m);
        std::vector<double> at, means;
        for (int layer = 0; layer <= models[m].layers(); ++layer) {
            const Moments one(values.row({layer}));
            at.push_back(layer);
            means.push_back(100 * one.mean());
            plot.errorBar(layer, 100 * (one.mean() - one.deviation()), 100 * (one.mean() + one.deviation()),
                          {stroke.colour, 0.6, {}});
            figure.values->rows.push_back(
                {models[m].model().name, double(layer), cell(100 * one.mean()), cell(100 * one.deviation()), double(one.n())});
        }
        plot.line(at, means, stroke);
        for (std::size_t k = 0; k < at.size(); ++k)
            plot.marker(at[k], means[k], int(m), stroke.colour);
    }
    plot.close();
    return figure;
}

/// The layer with the best mean accuracy.
int bestLayer(const StudyView& view) {
    const Numbers values = view.numbers("accuracy", {view.layers() + 1, -1});
    int best = 0;
    double highest = -1;
    for (int layer = 0; layer <= view.layers(); ++layer)
        if (const double mean = Moments(values.row({layer})).mean(); mean > highest) {
            highest = mean;
            best = layer;
        }
    return best;
}

/// Counts as shares of each row; NaN where a phone does not occur.
Matrix<double> shares(Matrix<double> counts) {
    for (std::size_t row = 0; row < counts.rows(); ++row) {
        double sum = 0;
        for (const double value : counts.row(row))
            sum += value;
        for (double& value : counts.row(row))
            value = sum > 0 ? value / sum : std::nan("");
    }
    return counts;
}

Figure confusion(const StudyView& view, double width) {
    const double wide = width > 0 ? width : kPage;
    const Numbers counts = view.numbers("confusion", {view.layers() + 1, 37, 37});
    ColourScale scale{ColourScheme::Cividis, 0, 1, false, 0.5, "share of the phone", niceTicks(0, 1, 5)};
    const double bar = drawColourBar(nullptr, {}, scale);
    std::vector<int> layers{0};
    if (const int best = bestLayer(view); best > 0)
        layers.push_back(best);
    const PanelGrid grid =
        panelGrid(int(layers.size()), wide < 300 ? 1 : 2, wide, 27, bar + 10, 27, 24, 40, 1);
    Figure figure = emptyFigure(
        view.study(), view.fileName("probe-confusion"),
        "True phones (down) and the probe's predictions (across), share of each phone's tokens of the test "
        "utterances, mean over seeds, at layer 0 (the input of layer 1)" +
            std::string(layers.size() > 1 ? " and at the best layer" : ", which is also the best layer") + view.ofModel() + "; hatched: the phone does not occur (Shim et al. 2022).",
        wide, grid.bottom() + 14);
    for (int k = 0; k < int(layers.size()); ++k) {
        const int layer = layers[std::size_t(k)];
        const Matrix<double> values = shares(counts.matrix({layer}));
        drawPhoneMatrix(figure.scene, grid.panel(k), values, {}, scale,
                        {true, true,
                         layer == 0 ? "layer 0" : "layer " + std::to_string(layer) + ", the best"});
        words(figure.scene, {grid.panel(k).x + grid.panelWidth / 2, grid.panel(k).bottom() + 9.5},
              "predicted phone", kLabelSize, Anchor::Middle, kText);
        figure.arrays.emplace_back("layer." + std::to_string(layer),
                                   Tensor::of<double>({37, 37}, values.values()));
    }
    words(figure.scene, {8, grid.panel(0).y + grid.panelHeight / 2}, "true phone", kLabelSize,
          Anchor::Middle, kText, false, -90);
    drawColourBar(&figure.scene, {wide - bar - 4, grid.panel(0).y, 0, std::min(grid.panelHeight, 150.0)},
                  scale);
    return figure;
}

} // namespace

std::vector<Figure> probeFigures(const Study& study, const StudyArrays& arrays, double width) {
    std::vector<Figure> figures{accuracy(study, arrays, width)};
    for (const StudyView& view : views(study, arrays))
        figures.push_back(confusion(view, width));
    return figures;
}

} // namespace headroom::figures
