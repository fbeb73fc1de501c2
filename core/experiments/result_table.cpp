// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiments/result_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <regex>

namespace headroom {

using nlohmann::json;

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

std::string fixedText(double value, int decimals) {
    std::array<char, 400> digits{};
    std::snprintf(digits.data(), digits.size(), "%.*f", decimals, value);
    std::string text = digits.data();
    if (text.front() == '-' && text.find_first_not_of("-0.") == std::string::npos)
        text.erase(0, 1); // -0.00
    return text;
}

json numberOrNull(double value) {
    return std::isfinite(value) ? json(value) : json();
}

const ExperimentCell* cellOf(const ExperimentRow& row, const std::string& column) {
    for (const auto& [key, cell] : row.cells)
        if (key == column)
            return &cell;
    return nullptr;
}

bool isPrinted(const Experiment& experiment, const std::string& column) {
    for (const ExperimentRow& row : experiment.rows)
        if (const auto* cell = cellOf(row, column); cell && !cell->printed.empty())
            return true;
    return false;
}

std::string caption(const ResultTable& table) {
    std::string text = table.experiment->title + " (" + table.experiment->paper + ", " + table.experiment->table + ").";
    if (table.seeds > 1)
        text += " Ours: mean ± standard deviation over " + std::to_string(table.seeds) + " seeds.";
    for (const std::string& note : table.notes)
        text += " " + note;
    return text;
}

/// The columns as text: labels, then paper and ours for each column.
StudyTable textTable(const ResultTable& table) {
    const Experiment& experiment = *table.experiment;
    StudyTable result{experiment.name, experiment.title, caption(table), {}, {}};
    for (const std::string& label : experiment.labels)
        result.columns.push_back({label, label, "", 0, true});
    for (const ExperimentColumn& column : experiment.columns) {
        if (isPrinted(experiment, column.key))
            result.columns.push_back({column.key + "_printed", column.title + ", paper", "", 0, true});
        result.columns.push_back({column.key, column.title + ", ours", "", 0, true});
    }
    for (std::size_t i = 0; i < experiment.rows.size(); ++i) {
        const ExperimentRow& row = experiment.rows[i];
        std::vector<StudyCell> cells(row.labels.begin(), row.labels.end());
        for (std::size_t c = 0; c < experiment.columns.size(); ++c) {
            const ExperimentColumn& column = experiment.columns[c];
            const ExperimentCell* cell = cellOf(row, column.key);
            if (isPrinted(experiment, column.key))
                cells.emplace_back(cell ? printedText(*cell) : std::string());
            cells.emplace_back(cell && cell->hasSource() ? oursText(table.rows[i][c], column.decimals) : std::string());
        }
        result.rows.push_back(std::move(cells));
    }
    markTextColumns(result, experiment.labels.size());
    return result;
}

std::string inMarkdown(const std::string& text) {
    std::string result;
    for (const char letter : text) {
        if (letter == '|' || letter == '\\' || letter == '*' || letter == '_')
            result += '\\';
        result += letter == '\n' ? ' ' : letter;
    }
    return result;
}

} // namespace

double ResultCell::mean() const {
    double sum = 0;
    for (const double value : values)
        sum += value;
    return values.empty() ? kUnknown : sum / static_cast<double>(values.size());
}

double ResultCell::deviation() const {
    if (values.size() < 2)
        return kUnknown;
    double squares = 0;
    for (const double value : values)
        squares += (value - mean()) * (value - mean());
    return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

std::string oursText(const ResultCell& cell, int decimals) {
    if (!cell.isKnown())
        return "–";
    std::string text = cell.text;
    if (!cell.values.empty()) {
        text = fixedText(cell.mean(), decimals);
        if (cell.values.size() > 1)
            text += " ± " + fixedText(cell.deviation(), decimals);
    }
    if (cell.p)
        text += *cell.p < 0.001 ? " (p < 0.001)" : " (p = " + fixedText(*cell.p, 3) + ")";
    return text;
}

void markTextColumns(StudyTable& table, std::size_t first) {
    static const std::regex number("(–|(-|−)?[0-9][0-9.,]*( ± [0-9.,]+)?( \\(p [<=] [0-9.]+\\))?)?");
    for (std::size_t column = first; column < table.columns.size(); ++column)
        table.columns[column].text = !std::all_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
            return std::regex_match(std::get<std::string>(row[column]), number);
        });
}

std::string printedText(const ExperimentCell& cell) {
    return cell.printed + (cell.printedDeviation.empty() ? "" : " ± " + cell.printedDeviation);
}

json tableDocument(const ResultTable& table) {
    const Experiment& experiment = *table.experiment;
    json columns = json::array(), rows = json::array();
    for (const ExperimentColumn& column : experiment.columns)
        columns.push_back({{"key", column.key}, {"title", column.title}, {"decimals", column.decimals}});
    for (std::size_t i = 0; i < experiment.rows.size(); ++i) {
        json cells = json::object();
        for (std::size_t c = 0; c < experiment.columns.size(); ++c) {
            const ExperimentCell* cell = cellOf(experiment.rows[i], experiment.columns[c].key);
            if (!cell)
                continue;
            const ResultCell& ours = table.rows[i][c];
            json one{{"printed", cell->printed.empty() ? json() : json(cell->printed)},
                     {"printedStd", cell->printedDeviation.empty() ? json() : json(cell->printedDeviation)},
                     {"ours", ours.text.empty() ? numberOrNull(ours.mean()) : json(ours.text)},
                     {"std", numberOrNull(ours.deviation())},
                     {"values", ours.values}};
            if (!ours.missing.empty())
                one["missing"] = ours.missing;
            if (ours.p)
                one["test"] = {{"name", ours.test}, {"against", ours.against}, {"p", *ours.p}};
            cells[experiment.columns[c].key] = std::move(one);
        }
        rows.push_back({{"labels", experiment.rows[i].labels}, {"cells", cells}});
    }
    return {{"format", "headroom/experiment-table"},
            {"version", 1},
            {"experiment", experiment.name},
            {"paper", experiment.paper},
            {"table", experiment.table},
            {"title", experiment.title},
            {"seeds", table.seeds},
            {"scale", table.scale},
            {"labels", experiment.labels},
            {"columns", columns},
            {"rows", rows},
            {"notes", table.notes}};
}

std::string markdownText(const ResultTable& table) {
    const StudyTable shown = textTable(table);
    std::string text = "# " + inMarkdown(table.experiment->title) + "\n\n" + inMarkdown(table.experiment->paper) + ", " +
                       inMarkdown(table.experiment->table) + "." +
                       (table.seeds > 1 ? " Ours: mean ± standard deviation over " + std::to_string(table.seeds) + " seeds."
                                        : "") +
                       "\n\n|";
    for (const StudyColumn& column : shown.columns)
        text += " " + inMarkdown(column.title) + " |";
    text += "\n|";
    for (const StudyColumn& column : shown.columns)
        text += column.text ? " --- |" : " ---: |";
    text += "\n";
    for (const auto& row : shown.rows) {
        text += "|";
        for (const StudyCell& cell : row)
            text += " " + inMarkdown(std::get<std::string>(cell)) + " |";
        text += "\n";
    }
    if (!table.notes.empty())
        text += "\n";
    for (const std::string& note : table.notes)
        text += "- " + inMarkdown(note) + "\n";
    return text;
}

std::string latexText(const ResultTable& table) {
    return latexText(textTable(table));
}

} // namespace headroom
