// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <variant>
#include <vector>

namespace headroom {

/// A column of a study's table.
struct StudyColumn {
    std::string key;   ///< stable, "mean": the header in CSV files and JSON
    std::string title; ///< "μ", as shown above the column
    std::string unit;  ///< "ms", "%"; empty: none
    int decimals = 3;  ///< as shown and in LaTeX; CSV and TSV keep full precision
    bool text = false; ///< cells are text, left-aligned; else numbers, or texts that begin with one
};

/// Unknown or undefined (shown as “–”, empty in CSV, never 0), a number, or text.
using StudyCell = std::variant<std::monostate, double, std::string>;

/// A table of a study, for the window, copying and papers. A value.
struct StudyTable {
    std::string name;    ///< stable, "windows": the stem of its files
    std::string title;   ///< "Windows of st-small en-de"
    std::string caption; ///< formula, mode, models with hash, utterances, n: one paragraph
    std::vector<StudyColumn> columns;
    std::vector<std::vector<StudyCell>> rows; ///< each as long as `columns`
};

/// As it stands above a column: "total, ms".
std::string headText(const StudyColumn& column);
/// A time, rounded as roundedTime() does; other numbers as they are.
double shownNumber(const StudyColumn& column, double number);
/// Returns a number as shown: `decimals`, U+2212 for minus, “–” if unknown.
std::string shownText(const StudyColumn& column, const StudyCell& cell);
/// RFC 4180, LF, full precision (shortest text that reads back as the same double).
std::string csvText(const StudyTable& table);
/// Tab-separated, full precision, below the headers that are shown; tabs and line ends in text become spaces.
std::string tsvText(const StudyTable& table);
/// A `table` environment with booktabs rules, caption (the title where there is none) and label `tab:NAME`; LaTeX's special characters are
/// escaped, Greek letters, − and letters with indices (A_ij) go into math.
std::string latexText(const StudyTable& table);

nlohmann::json toJson(const StudyTable& table);
/// Throws Error "study.value" with the problem; `file` is used in the message.
StudyTable studyTableFrom(const nlohmann::json& json, const std::string& file);

} // namespace headroom
