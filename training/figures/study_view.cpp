// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/figures/study_view.h"

#include "core/errors/count_text.h"
#include "core/errors/error.h"
#include "core/statistics/statistics.h"
#include "core/studies/settings_text.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <filesystem>

namespace headroom::figures {

namespace {

std::string shapeText(const std::vector<std::int64_t>& shape) {
    std::string text;
    for (const auto extent : shape)
        text += (text.empty() ? "" : " × ") + (extent < 0 ? std::string("any") : std::to_string(extent));
    return "[" + text + "]";
}

std::size_t offsetOf(const Numbers& numbers, std::initializer_list<std::int64_t> index) {
    std::size_t offset = 0, dimension = 0;
    for (const auto at : index) {
        assert(at >= 0 && at < numbers.shape[dimension]);
        offset = offset * static_cast<std::size_t>(numbers.shape[dimension++]) + static_cast<std::size_t>(at);
    }
    for (; dimension < numbers.shape.size(); ++dimension)
        offset *= static_cast<std::size_t>(numbers.shape[dimension]);
    return offset;
}

} // namespace

double Numbers::at(std::initializer_list<std::int64_t> index) const {
    return values[offsetOf(*this, index)];
}

std::vector<double> Numbers::row(std::initializer_list<std::int64_t> index) const {
    const auto from = values.begin() + static_cast<std::ptrdiff_t>(offsetOf(*this, index));
    return {from, from + shape.back()};
}

Matrix<double> Numbers::matrix(std::initializer_list<std::int64_t> index) const {
    const auto rows = static_cast<std::size_t>(shape[shape.size() - 2]);
    const auto columns = static_cast<std::size_t>(shape.back());
    const auto from = values.begin() + static_cast<std::ptrdiff_t>(offsetOf(*this, index));
    return {rows, columns, std::vector<double>(from, from + static_cast<std::ptrdiff_t>(rows * columns))};
}

Interval95 meanInterval(const Study& study, const std::vector<double>& byUtterance) {
    std::vector<int> speakers = speakerClusters(study);
    if (speakers.size() != byUtterance.size())
        speakers.clear();
    const MeanEstimate estimate = estimateMean(byUtterance, speakers, study.seed);
    return {estimate.low, estimate.high};
}

StudyView::StudyView(const Study& study, const StudyArrays& arrays, int model)
    : m_study(&study)
    , m_arrays(&arrays)
    , m_model(model) {}

Numbers StudyView::optional(const std::string& name, std::initializer_list<std::int64_t> shape) const {
    const std::string key = std::to_string(m_model + 1) + "." + name;
    const auto found = m_arrays->find(key);
    if (found == m_arrays->end())
        return {};
    const std::vector<std::int64_t> wanted(shape);
    const auto& is = found->second.shape;
    const bool fits = std::equal(is.begin(), is.end(), wanted.begin(), wanted.end(),
                                 [](std::int64_t a, std::int64_t b) { return b < 0 || a == b; });
    if (!fits)
        throw Error("figures.missing", "The array " + key + " of study " + m_study->id + " is " +
                                           shapeText(is) + "; its figure needs " + shapeText(wanted) + ".");
    return {is, toDoubles(found->second.view())};
}

Numbers StudyView::numbers(const std::string& name, std::initializer_list<std::int64_t> shape) const {
    Numbers result = optional(name, shape);
    if (result.shape.empty())
        throw Error("figures.missing", "Study " + m_study->id + " has no array " +
                                           std::to_string(m_model + 1) + "." + name +
                                           ", which its figures are drawn from.");
    return result;
}

std::string StudyView::fileName(const std::string& name) const {
    return m_study->models.size() == 1 ? name : name + "-" + std::to_string(m_model + 1);
}

std::string StudyView::ofModel() const {
    return m_study->models.size() == 1 ? "" : " of " + model().name;
}

std::vector<StudyView> views(const Study& study, const StudyArrays& arrays) {
    std::vector<StudyView> result;
    for (int model = 0; model < static_cast<int>(study.models.size()); ++model)
        result.emplace_back(study, arrays, model);
    return result;
}

std::string provenance(const Study& study) {
    std::string text = study.models.size() == 1 ? "Model: " : "Models: ";
    for (const StudyModel& model : study.models) {
        text += (&model == &study.models.front() ? "" : "; ") + model.name;
        text += model.maps ? " (imported maps)" : " (SHA-256 " + model.weightsHash.substr(0, 12) + ")";
    }
    const auto failed =
        std::count_if(study.utterances.begin(), study.utterances.end(),
                      [](const StudyUtterance& utterance) { return !utterance.error.empty(); });
    const auto whole = static_cast<std::int64_t>(study.utterances.size());
    if (whole > 0) {
        text += ". n = " + counted(whole - failed, "utterance");
        if (!study.data.empty()) // recordings by name are of no corpus
            text += " of " + std::filesystem::path(study.data).filename().string();
        if (!study.split.empty())
            text += " (" + study.split + ")";
        if (study.population > whole)
            text += ", drawn without replacement from " + grouped(study.population) + ", seed " +
                    std::to_string(study.seed);
        if (failed > 0)
            text += "; " + grouped(failed) + (failed == 1 ? " was left out" : " were left out");
    }
    const std::string settings = settingsText(study.kind, study.settings);
    return text + "." + (settings.empty() ? "" : " Settings: " + settings + ".") + " Headroom study " +
           study.id + ".";
}

Figure emptyFigure(const Study& study, const std::string& name, const std::string& formula, double width,
                   double height) {
    Figure figure;
    figure.name = name;
    figure.caption = formula + " " + provenance(study);
    figure.scene.width = width;
    figure.scene.height = height;
    figure.scene.title = name + ", " + study.id;
    figure.scene.description = figure.caption;
    figure.scene.created = study.ended.empty() ? study.created : study.ended;
    return figure;
}

StudyTable table(const std::string& name, std::vector<StudyColumn> columns) {
    StudyTable result;
    result.name = name;
    result.columns = std::move(columns);
    return result;
}

StudyCell cell(double value) {
    if (std::isfinite(value))
        return value;
    return std::monostate();
}

Box PanelGrid::panel(int index) const {
    return {left + (index % columns) * (panelWidth + gapX), top + (index / columns) * (panelHeight + gapY),
            panelWidth, panelHeight};
}

double PanelGrid::bottom() const {
    return top + rows * panelHeight + (rows - 1) * gapY;
}

PanelGrid panelGrid(int count, int across, double width, double left, double right, double top, double gapX,
                    double gapY, double ratio) {
    PanelGrid grid;
    grid.columns = std::max(1, std::min(count, across));
    grid.rows = std::max(1, (count + grid.columns - 1) / grid.columns);
    grid.left = left;
    grid.top = top;
    grid.gapX = gapX;
    grid.gapY = gapY;
    grid.panelWidth = (width - left - right - (grid.columns - 1) * gapX) / grid.columns;
    grid.panelHeight = grid.panelWidth * ratio;
    return grid;
}

} // namespace headroom::figures
