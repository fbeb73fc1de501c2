// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiments/experiment.h"
#include "core/studies/table.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom {

/// What we found for a cell of the table.
struct ResultCell {
    std::vector<double> values; ///< one per seed; empty: unknown, or a text
    std::string text;           ///< of a cell that is no number
    std::string missing;        ///< why there is nothing, one sentence; empty otherwise
    std::optional<double> p;    ///< of the paired test against a baseline
    std::string test;           ///< "mapsswe", "approximate-randomisation"
    std::string against;        ///< the step compared with

    bool isKnown() const { return !values.empty() || !text.empty(); }
    double mean() const;      ///< of the values; NaN for none
    double deviation() const; ///< of the sample (n − 1); NaN for fewer than two
};

/// The table of an experiment: the paper's numbers and ours. A value.
struct ResultTable {
    const Experiment* experiment = nullptr; ///< outlives the table
    double scale = 1;
    int seeds = 1;
    std::vector<std::vector<ResultCell>> rows; ///< by row and column of the experiment
    std::vector<std::string> notes;            ///< one sentence each
};

/// Ours as shown: "22.49 ± 0.11 (p = 0.031)", "–" if unknown.
std::string oursText(const ResultCell& cell, int decimals);
/// As printed: "22.53 ± 0.15"; empty if it was not.
std::string printedText(const ExperimentCell& cell);
/// Decides for each column from `first` on, whose cells are such texts, whether it is text: "4 local 17" is; numbers, "–" and nothing
/// are not.
void markTextColumns(StudyTable& table, std::size_t first);

/// table.json: {format: "headroom/experiment-table", version: 1, …}; README.md.
nlohmann::json tableDocument(const ResultTable& table);
/// A GitHub table with title, source and notes; for each column the paper's number, then ours.
std::string markdownText(const ResultTable& table);
/// A `table` environment with booktabs rules.
std::string latexText(const ResultTable& table);

} // namespace headroom
