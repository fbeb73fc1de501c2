// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <variant>
#include <vector>

namespace headroom {

/// A column of a study's table.
struct StudyColumn {
    std::string key;   ///< stable, "mean": the head of CSV and JSON
    std::string title; ///< "μ", as it stands above the column
    std::string unit;  ///< "ms", "%"; empty: none
    int decimals = 3;  ///< as shown and in LaTeX; CSV and TSV keep full precision
    bool text = false; ///< cells are words, left-aligned
};

/// Unknown or undefined (shown as “–”, empty in CSV, never 0), a number, or words.
using StudyCell = std::variant<std::monostate, double, std::string>;

/// A table of a study: what the window shows, what is copied, what goes into a paper. A value.
struct StudyTable {
    std::string name;    ///< stable, "windows": the stem of its files
    std::string title;   ///< "Windows of st-small en-de"
    std::string caption; ///< formula, mode, models with hash, utterances, n: one paragraph
    std::vector<StudyColumn> columns;
    std::vector<std::vector<StudyCell>> rows; ///< each as long as `columns`
};

/// Number as shown: `decimals`, U+2212 for minus, “–” for an unknown one.
std::string shownText(const StudyColumn& column, const StudyCell& cell);
/// RFC 4180, LF, full precision (shortest text that reads back as the same double).
std::string csvText(const StudyTable& table);
/// Tab-separated with heads; tabs and line ends in words become blanks.
std::string tsvText(const StudyTable& table);
/// A `table` environment with booktabs rules, caption and label `tab:NAME`; LaTeX's special characters are
/// escaped, Greek letters and − go into math.
std::string latexText(const StudyTable& table);

nlohmann::json toJson(const StudyTable& table);
/// Throws Error "study.value" naming what is wrong; `file` stands in the sentence.
StudyTable studyTableFrom(const nlohmann::json& json, const std::string& file);

} // namespace headroom
