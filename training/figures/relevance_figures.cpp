// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/figures/heat_map.h"
#include "training/figures/study_view.h"

#include <algorithm>
#include <cmath>

namespace headroom::figures {

namespace {

constexpr double kLeastBar = 40; ///< a shorter one has no room for its numbers

struct KindLook {
    const char* word;
    Colour colour;
    int marker;
};
/// In the order of HeadKind (core/architecture).
constexpr KindLook kKinds[] = {{"full", kHeadFull, 1},
                               {"local", kHeadLocal, 3},
                               {"block", kHeadBlock, 2},
                               {"conv", kHeadConv, 0},
                               {"masked", kHeadMasked, 4}};

/// Null where the study does not say it.
const KindLook* kindOf(const Numbers& kinds, int layer, int head) {
    const double kind = kinds.empty() ? -1 : kinds.at({layer, head});
    return kind >= 0 && kind < double(std::size(kKinds)) ? &kKinds[std::size_t(kind)] : nullptr;
}

/// Layers downwards, heads across.
void cellAxes(Scene& scene, const Box& frame, int layers, int heads, bool named) {
    const Ticks rows = countTicks(layers, frame.height / layers < 7.5 ? 8 : layers);
    for (std::size_t k = 0; k < rows.at.size(); ++k)
        words(scene,
              {frame.x - 3, frame.y + (rows.at[k] - 0.5) * frame.height / layers + kTickSize * kMiddle},
              rows.labels[k], kTickSize, Anchor::End);
    const Ticks across = countTicks(heads, 8);
    for (std::size_t k = 0; k < across.at.size(); ++k)
        words(scene,
              {frame.x + (across.at[k] - 0.5) * frame.width / heads, frame.bottom() + 2.5 + kTickSize * 0.8},
              across.labels[k], kTickSize, Anchor::Middle);
    words(scene, {frame.x + frame.width / 2, frame.bottom() + 12 + kLabelSize * 0.75}, "head", kLabelSize,
          Anchor::Middle, kText);
    if (named)
        words(scene, {frame.x - 14, frame.y + frame.height / 2}, "encoder layer", kLabelSize, Anchor::Middle,
              kText, false, -90);
    scene.frame(frame, {kText2, kAxisWidth, {}});
}

Figure relevance(const StudyView& view, double width) {
    const double wide = width > 0 ? width : kColumn;
    const Matrix<double> values = view.numbers("relevance", {view.layers(), view.heads()}).matrix({});
    const Numbers kinds = view.optional("head_kind", {view.layers(), view.heads()});
    ColourScale scale{ColourScheme::Cividis, 0.1, 0.5, false, 1, "relevance", niceTicks(0.1, 0.5, 4)};
    double largest = 0, smallest = 1;
    for (const double value : values.values())
        if (!std::isnan(value)) {
            largest = std::max(largest, value);
            smallest = std::min(smallest, value);
        }
    markClipping(scale, largest);
    if (smallest < scale.low && !scale.ticks.labels.empty())
        scale.ticks.labels.front() = "≤ " + scale.ticks.labels.front();
    std::vector<LegendEntry> legend;
    for (std::size_t kind = 0; kind < std::size(kKinds); ++kind)
        if (std::count(kinds.values.begin(), kinds.values.end(), double(kind)) > 0)
            legend.push_back({kKinds[kind].word, {kKinds[kind].colour, 0, {}}, kKinds[kind].marker});
    const double bar = drawColourBar(nullptr, {}, scale);
    const double left = 26,
                 above = 5 + drawLegend(nullptr, {}, wide - left - 4, legend) + (legend.empty() ? 0 : 3);
    const double rowHeight = std::clamp(160.0 / view.layers(), 8.0, 13.0);
    Figure figure = emptyFigure(view.study(), view.fileName("relevance"),
                                "Relevance of each head: its share ‖ξ_t^h‖ / Σ_h ‖ξ_t^h‖ of a layer's "
                                "output, ξ_t^h = W_O^h z_t^h, median "
                                "over tokens" +
                                    view.ofModel() + " (Sant et al. 2022, Eq. 4 and Fig. 3).",
                                wide, above + std::max(rowHeight * view.layers() + 22, kLeastBar + 8));
    drawLegend(&figure.scene, {left, 4}, wide - left - 4, legend);
    const Box frame{left, above, wide - left - bar - 10, rowHeight * view.layers()};
    drawCells(figure.scene, frame, values, scale);
    hatchUndefined(figure.scene, frame, values);
    const ColourRamp colours(scale.scheme);
    figure.values = table("relevance", {{"layer", "layer", "", 0},
                                        {"head", "head", "", 0},
                                        {"kind", "kind", "", 0, true},
                                        {"relevance", "relevance", "", 3}});
    const double cellWidth = frame.width / view.heads();
    for (int head = 0; head < view.heads() && !legend.empty(); ++head)
        figure.scene.fill({frame.x + head * cellWidth, frame.y, 8, frame.height}, kWhite);
    for (int layer = 0; layer < view.layers(); ++layer)
        for (int head = 0; head < view.heads(); ++head) {
            const double value = values(std::size_t(layer), std::size_t(head));
            const KindLook* look = kindOf(kinds, layer, head);
            const double x = frame.x + head * cellWidth, y = frame.y + (layer + 0.5) * rowHeight;
            if (look)
                drawMarker(figure.scene, {x + 4, y}, look->marker, look->colour, 3.6);
            if (!std::isnan(value) && cellWidth > 24)
                words(figure.scene, {x + cellWidth / 2 + (legend.empty() ? 0 : 4), y + kTickSize * kMiddle},
                      numberText(value, 2), kTickSize, Anchor::Middle,
                      textOn(colours.at(scale.share(value))));
            figure.values->rows.push_back({double(layer + 1), double(head + 1),
                                           look ? StudyCell(std::string(look->word)) : StudyCell(),
                                           cell(value)});
        }
    cellAxes(figure.scene, frame, view.layers(), view.heads(), true);
    drawColourBar(&figure.scene, {frame.right() + 6, frame.y, 0, std::max(frame.height, kLeastBar)}, scale);
    return figure;
}

struct Statistic {
    const char *array, *title, *unit;
    double low, high; ///< high 0: the largest value
};
constexpr Statistic kStatistics[] = {{"entropy", "entropy", "nats", 0, 0},
                                     {"mean_distance", "mean distance", "tokens", 0, 0},
                                     {"maximum", "largest weight", "", 0, 1},
                                     {"silence_share", "on silence", "", 0, 1}};

/// Entropy, mean distance, maximum and the share on silence, layers × heads.
Figure statistics(const StudyView& view, double width) {
    const double wide = width > 0 ? width : kPage;
    const PanelGrid grid = panelGrid(4, wide < 300 ? 2 : 4, wide, 26, 34, 14, 48, 38, 1);
    const double rowHeight = std::clamp(130.0 / view.layers(), 5.0, 12.0), height = rowHeight * view.layers();
    Figure figure = emptyFigure(
        view.study(), view.fileName("head-statistics"),
        "Each head's attention, mean over rows and utterances: entropy −Σ_j A_ij ln A_ij, mean "
        "distance Σ_j A_ij |i−j|, largest weight of a row, share of a row on silence" +
            view.ofModel() + "; hatched: no N × N map, or unknown.",
        wide, 14 + grid.rows * height + (grid.rows - 1) * 38 + std::max(22.0, kLeastBar + 8 - height));
    figure.values = table("head-statistics", {{"statistic", "statistic", "", 0, true},
                                              {"layer", "layer", "", 0},
                                              {"head", "head", "", 0},
                                              {"mean", "mean", "", 3},
                                              {"std", "std", "", 3}});
    for (int k = 0; k < 4; ++k) {
        const Statistic& statistic = kStatistics[k];
        const Numbers numbers = view.numbers(statistic.array, {view.layers(), view.heads(), -1});
        Matrix<double> means(std::size_t(view.layers()), std::size_t(view.heads()), std::nan(""));
        double largest = 0;
        for (int layer = 0; layer < view.layers(); ++layer)
            for (int head = 0; head < view.heads(); ++head) {
                const Moments one(numbers.row({layer, head}));
                means(std::size_t(layer), std::size_t(head)) = one.mean();
                if (one.n() > 0)
                    largest = std::max(largest, one.mean());
                figure.values->rows.push_back({std::string(statistic.array), double(layer + 1),
                                               double(head + 1), cell(one.mean()), cell(one.deviation())});
            }
        ColourScale scale{ColourScheme::Viridis,
                          statistic.low,
                          statistic.high > 0 ? statistic.high : niceCeiling(largest),
                          false,
                          1,
                          "",
                          {}};
        scale.ticks = niceTicks(scale.low, scale.high, 4);
        const Box panel = grid.panel(k);
        const Box frame{panel.x, 14 + (k / grid.columns) * (height + 38), panel.width, height};
        drawCells(figure.scene, frame, means, scale);
        hatchUndefined(figure.scene, frame, means);
        cellAxes(figure.scene, frame, view.layers(), view.heads(), k % grid.columns == 0);
        drawColourBar(&figure.scene, {frame.right() + 4, frame.y, 0, std::max(frame.height, kLeastBar)},
                      scale);
        words(figure.scene, {frame.x, frame.y - 4},
              statistic.title + std::string(*statistic.unit ? ", " : "") + statistic.unit, kLabelSize,
              Anchor::Start, kText);
    }
    return figure;
}

} // namespace

std::vector<Figure> relevanceFigures(const StudyView& view, double width) {
    return {relevance(view, width), statistics(view, width)};
}

} // namespace headroom::figures
