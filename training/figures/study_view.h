// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/matrix.h"
#include "core/statistics/bootstrap.h"
#include "core/statistics/moments.h"
#include "training/figures/study_figures.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

namespace headroom::figures {

/// An array of a study as double, with its shape.
struct Numbers {
    std::vector<std::int64_t> shape;
    std::vector<double> values;

    bool empty() const { return values.empty(); }
    std::int64_t extent(std::size_t dimension) const { return shape.at(dimension); }
    double at(std::initializer_list<std::int64_t> index) const;
    /// Returns the numbers of the last dimension at an index of the others.
    std::vector<double> row(std::initializer_list<std::int64_t> index) const;
    /// Returns the last two dimensions at an index of the others.
    Matrix<double> matrix(std::initializer_list<std::int64_t> index) const;
};

/// 95 % interval of the mean over utterances (core/statistics), speakers as clusters where there are two.
Interval95 meanInterval(const Study& study, const std::vector<double>& byUtterance);

/// The part of a study for one model.
class StudyView {
public:
    StudyView(const Study& study, const StudyArrays& arrays, int model); ///< model: from 0

    const Study& study() const { return *m_study; }
    const StudyModel& model() const { return m_study->models[static_cast<std::size_t>(m_model)]; }
    int layers() const { return model().layers; }
    int heads() const { return model().heads; }
    /// "ccd" is `2.ccd` for the second model. A negative extent fits any. Throws Error "figures.missing" if
    /// the array is missing or does not fit.
    Numbers numbers(const std::string& name, std::initializer_list<std::int64_t> shape) const;
    /// Empty if missing.
    Numbers optional(const std::string& name, std::initializer_list<std::int64_t> shape) const;
    /// "windows" for the only model, "windows-2" for the second of several.
    std::string fileName(const std::string& name) const;
    /// Returns " of st-small en-de" if there are several models.
    std::string ofModel() const;

private:
    const Study* m_study;
    const StudyArrays* m_arrays;
    int m_model;
};

std::vector<StudyView> views(const Study& study, const StudyArrays& arrays);

/// Returns the end of a caption: models with hash, utterances, n, settings.
std::string provenance(const Study& study);
/// Scene with title, caption and date of the study; `formula` ends with a full stop.
Figure emptyFigure(const Study& study, const std::string& name, const std::string& formula, double width,
                   double height);

StudyTable table(const std::string& name, std::vector<StudyColumn> columns);
/// NaN means unknown.
StudyCell cell(double value);

/// A grid of panels of one size with space for axes on the left and below, and a colour bar on the right.
struct PanelGrid {
    int columns = 1, rows = 1;
    double left = 0, top = 0, gapX = 0, gapY = 0, panelWidth = 0, panelHeight = 0;
    Box panel(int index) const;
    double bottom() const;
};
/// `across`: maximum number of panels side by side; heights are `ratio` times the width.
PanelGrid panelGrid(int count, int across, double width, double left, double right, double top, double gapX,
                    double gapY, double ratio);

std::vector<Figure> windowsFigures(const Study& study, const StudyArrays& arrays, double width);
std::vector<Figure> diagonalityFigures(const Study& study, const StudyArrays& arrays, double width);
std::vector<Figure> contributionFigures(const Study& study, const StudyArrays& arrays,
                                        const StudyArrays& example, double width);
std::vector<Figure> headFigures(const Study& study, const StudyArrays& arrays, double width);
std::vector<Figure> phoneFigures(const Study& study, const StudyArrays& arrays, double width);
std::vector<Figure> probeFigures(const Study& study, const StudyArrays& arrays, double width);
std::vector<Figure> latencyFigures(const Study& study, const StudyArrays& arrays, double width);
std::vector<Figure> mixingFigures(const Study& study, const StudyArrays& arrays, double width);
std::vector<Figure> similarityFigures(const Study& study, const StudyArrays& arrays, double width);

} // namespace headroom::figures
