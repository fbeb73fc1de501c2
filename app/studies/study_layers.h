// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/studies/open_study.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::app {

/// A row of a windows study: Algorithm 1 over its utterances for one layer. nullopt: not in the table.
struct StudyLayer {
    int layer = 0; ///< from 1
    std::optional<double> mean, deviation;         ///< of the statistic 2·i_last
    std::optional<int> window;                     ///< w
    std::optional<double> lossMean, lossDeviation; ///< CL of w, 0 … 1
};

/// The table `name` of one of the study's models, from 1: "heads-2", or "heads" where there is one model; null if there is none.
const StudyTable* modelTable(const OpenStudy& study, const std::string& name, int model);
/// Index of the first table of one of the study's models, such as "heads-2"; 0 if every table is of all models.
std::size_t firstTable(const OpenStudy& study, int model);
/// The table by layers of one of the study's models, from 1: "windows-2", "windows" or "diagonality"; null if
/// there is none.
const StudyTable* layerTable(const OpenStudy& study, int model);
/// The rows of layerTable() of a study of windows, in its order; empty for another kind.
std::vector<StudyLayer> studyLayers(const OpenStudy& study, int model);

/// The first row of a layer (0: the input of layer 1) of a model, where the table names models; −1: there is none.
int rowOfLayer(const StudyTable& table, int layer, const std::string& model);
int layerOfRow(const StudyTable& table, int row);              ///< −1: it has none
int columnOf(const StudyTable& table, const std::string& key); ///< −1: the table has none
/// nullopt: no such cell, or it is text or not finite.
std::optional<double> numberAt(const StudyTable& table, int row, const std::string& key);

} // namespace headroom::app
