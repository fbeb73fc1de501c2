// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studies/study_layers.h"

#include <algorithm>
#include <cmath>

namespace headroom::app {

int columnOf(const StudyTable& table, const std::string& key) {
    for (std::size_t column = 0; column < table.columns.size(); ++column)
        if (table.columns[column].key == key)
            return static_cast<int>(column);
    return -1;
}

std::optional<double> numberAt(const StudyTable& table, int row, const std::string& key) {
    const int column = columnOf(table, key);
    if (column < 0 || row < 0 || static_cast<std::size_t>(row) >= table.rows.size())
        return std::nullopt;
    const auto* value =
        std::get_if<double>(&table.rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)]);
    return value && std::isfinite(*value) ? std::optional(*value) : std::nullopt;
}

int layerOfRow(const StudyTable& table, int row) {
    return static_cast<int>(numberAt(table, row, "layer").value_or(-1));
}

int rowOfLayer(const StudyTable& table, int layer, const std::string& model) {
    const int names = columnOf(table, "model");
    for (int row = 0; row < static_cast<int>(table.rows.size()); ++row)
        if (layerOfRow(table, row) == layer &&
            (names < 0 || table.rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(names)] == StudyCell(model)))
            return row;
    return -1;
}

const StudyTable* modelTable(const OpenStudy& study, const std::string& name, int model) {
    const StudyTable* own = study.table(name + "-" + std::to_string(model));
    return own ? own : study.table(name);
}

std::size_t firstTable(const OpenStudy& study, int model) {
    const auto& tables = study.document.tables;
    const auto found = std::ranges::find_if(tables, [end = "-" + std::to_string(model)](const StudyTable& table) { return table.name.ends_with(end); });
    return found == tables.end() ? 0 : static_cast<std::size_t>(found - tables.begin());
}

const StudyTable* layerTable(const OpenStudy& study, int model) {
    const StudyTable* windows = modelTable(study, "windows", model);
    return windows ? windows : study.table("diagonality");
}

std::vector<StudyLayer> studyLayers(const OpenStudy& study, int model) {
    std::vector<StudyLayer> layers;
    const StudyTable* table = study.document.kind == StudyKind::Windows ? layerTable(study, model) : nullptr;
    for (int row = 0; table && row < static_cast<int>(table->rows.size()); ++row) {
        StudyLayer one;
        one.layer = static_cast<int>(numberAt(*table, row, "layer").value_or(0));
        one.mean = numberAt(*table, row, "mean");
        one.deviation = numberAt(*table, row, "std");
        if (const auto window = numberAt(*table, row, "window"))
            one.window = static_cast<int>(*window);
        one.lossMean = numberAt(*table, row, "loss_mean");
        one.lossDeviation = numberAt(*table, row, "loss_std");
        layers.push_back(one);
    }
    return layers;
}

} // namespace headroom::app
