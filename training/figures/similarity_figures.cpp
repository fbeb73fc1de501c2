// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/notes.h"
#include "training/figures/heat_map.h"
#include "training/figures/study_view.h"

#include <algorithm>
#include <cmath>

namespace headroom::figures {

namespace {

struct SimilarityMeasure {
    const char *array, *title, *formula;
};
constexpr SimilarityMeasure kSimilarities[] = {
    {"cka", "CKA", "Linear CKA, ‖YᵀX‖² / (‖XᵀX‖ ‖YᵀY‖) of centred states (Kornblith et al. 2019)"},
    {"pwcca", "PWCCA",
     "Projection-weighted CCA, weighted by the rows' layer (Morcos et al. 2018)"}};

/// What the study says of the numbers of these models, without what it says of the other measure.
std::string notesOn(const SimilarityMeasure& measure, const Study& study, const std::vector<int>& models) {
    std::string text;
    for (const std::string& note : notesAbout(study, models))
        if (std::none_of(std::begin(kSimilarities), std::end(kSimilarities), [&](const SimilarityMeasure& other) {
                return &other != &measure && note.find(other.title) != std::string::npos;
            }))
            text += " " + note;
    return text;
}

/// The layers × layers map of two models, or of one with itself.
Figure layersByLayers(const StudyView& rows, int row, const StudyView& columns, int column,
                      const SimilarityMeasure& measure, double width) {
    const double wide = width > 0 ? width : kColumn;
    const bool same = row == column;
    const int across = columns.layers() + 1, down = rows.layers() + 1;
    const Matrix<double> values =
        rows.numbers(std::to_string(column + 1) + "." + measure.array, {down, across}).matrix({});
    const ColourScale scale{ColourScheme::Magma, 0, 1, false, 1, measure.title, niceTicks(0, 1, 5)};
    const double bar = drawColourBar(nullptr, {}, scale), left = 30, above = 16;
    const double side = std::min((wide - left - bar - 10) / across, 40.0);
    const Box frame{left, above, side * across, side * down};
    Figure figure = emptyFigure(rows.study(), rows.fileName(measure.array) + (same ? "" : "-" + std::to_string(column + 1)),
                                std::string(measure.formula) + " of every pair of layers: rows " +
                                    rows.model().name + ", columns " + columns.model().name +
                                    " (layer 0: the input of layer 1)." + notesOn(measure, rows.study(), {row, column}),
                                wide, std::max(frame.bottom() + 24, 90.0));
    drawCells(figure.scene, frame, values, scale);
    hatchUndefined(figure.scene, frame, values);
    figure.scene.frame(frame, {kText2, kAxisWidth, {}});
    const auto ticks = [&](int count) {
        Ticks made = countTicks(count - 1, 13);
        made.at.insert(made.at.begin(), 0);
        made.labels.insert(made.labels.begin(), "0");
        return made;
    };
    const Ticks below = ticks(across), beside = ticks(down);
    for (std::size_t k = 0; k < below.at.size(); ++k)
        words(figure.scene, {frame.x + (below.at[k] + 0.5) * side, frame.bottom() + 2.5 + kTickSize * 0.8},
              below.labels[k], kTickSize, Anchor::Middle);
    for (std::size_t k = 0; k < beside.at.size(); ++k)
        words(figure.scene, {frame.x - 3, frame.y + (beside.at[k] + 0.5) * side + kTickSize * kMiddle},
              beside.labels[k], kTickSize, Anchor::End);
    words(figure.scene, {frame.x + frame.width / 2, frame.bottom() + 12 + kLabelSize * 0.75},
          same ? "layer" : "layer of " + columns.model().name, kLabelSize, Anchor::Middle, kText);
    words(figure.scene, {frame.x - 18, frame.y + frame.height / 2}, same ? "layer" : "layer of " + rows.model().name,
          kLabelSize, Anchor::Middle, kText, false, -90);
    drawColourBar(&figure.scene, {frame.right() + 6, frame.y, 0, std::max(frame.height, 60.0)}, scale);
    figure.values = table(measure.array, {{"row", "layer of the rows", "", 0},
                                          {"column", "layer of the columns", "", 0},
                                          {"value", measure.title, "", 3}});
    for (int i = 0; i < down; ++i)
        for (int j = 0; j < across; ++j)
            figure.values->rows.push_back(
                {double(i), double(j), cell(values(std::size_t(i), std::size_t(j)))});
    return figure;
}

} // namespace

std::vector<Figure> similarityFigures(const Study& study, const StudyArrays& arrays, double width) {
    const auto models = views(study, arrays);
    std::vector<Figure> figures;
    for (const SimilarityMeasure& measure : kSimilarities)
        for (std::size_t a = 0; a < models.size(); ++a)
            for (std::size_t b = a; b < models.size(); ++b)
                figures.push_back(layersByLayers(models[a], int(a), models[b], int(b), measure, width));
    return figures;
}

} // namespace headroom::figures
