// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/latex_bold.h"

#include "core/time/rounded_time.h"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <utility>

namespace headroom {

namespace {

/// The shortest text that reads back as the same number.
std::string exactText(double value) {
    std::array<char, 32> buffer;
    return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr};
}

/// "-0.00" is 0.00, and the sign of numbers is a hyphen here.
std::string roundedText(int decimals, double value) {
    std::array<char, 400> buffer; // 1e308 has 309 digits
    const int length = std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, value);
    std::string text(buffer.data(), static_cast<std::size_t>(length));
    if (text.front() == '-' && text.find_first_not_of("-0.") == std::string::npos)
        text.erase(0, 1);
    return text;
}

const double* numberOf(const StudyCell& cell) {
    const auto* number = std::get_if<double>(&cell);
    return number && std::isfinite(*number) ? number : nullptr;
}

/// As CSV and TSV hold it: nothing where it is unknown.
std::string plainText(const StudyCell& cell) {
    if (const auto* number = numberOf(cell))
        return exactText(*number);
    const auto* text = std::get_if<std::string>(&cell);
    return text ? *text : std::string();
}

std::string quoted(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string result = "\"";
    for (const char letter : text) {
        result += letter;
        if (letter == '"')
            result += '"';
    }
    return result + '"';
}

std::string onOneLine(std::string text) {
    for (char& letter : text)
        if (letter == '\t' || letter == '\n' || letter == '\r')
            letter = ' ';
    return text;
}

/// Heads and cells, each written by `write`, with one separator.
template <class Head, class Write>
std::string separated(const StudyTable& table, char separator, Head head, Write write) {
    std::string result;
    for (std::size_t column = 0; column < table.columns.size(); ++column)
        result += (column ? std::string(1, separator) : "") + write(head(table.columns[column]));
    result += '\n';
    for (const auto& row : table.rows) {
        for (std::size_t column = 0; column < row.size(); ++column)
            result += (column ? std::string(1, separator) : "") + write(plainText(row[column]));
        result += '\n';
    }
    return result;
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 60> kLatex{{{"\\", "\\textbackslash{}"},
                                                                                {"&", "\\&"},
                                                                                {"%", "\\%"},
                                                                                {"$", "\\$"},
                                                                                {"#", "\\#"},
                                                                                {"_", "\\_"},
                                                                                {"{", "\\{"},
                                                                                {"}", "\\}"},
                                                                                {"~", "\\textasciitilde{}"},
                                                                                {"^", "\\textasciicircum{}"},
                                                                                {"<", "$<$"},
                                                                                {">", "$>$"},
                                                                                {"|", "$|$"},
                                                                                {"−", "$-$"},
                                                                                {"–", "--"},
                                                                                {"—", "---"},
                                                                                {"“", "``"},
                                                                                {"”", "''"},
                                                                                {"’", "'"},
                                                                                {"×", "$\\times$"},
                                                                                {"±", "$\\pm$"},
                                                                                {"·", "$\\cdot$"},
                                                                                {"≤", "$\\leq$"},
                                                                                {"≥", "$\\geq$"},
                                                                                {"≠", "$\\neq$"},
                                                                                {"≈", "$\\approx$"},
                                                                                {"∞", "$\\infty$"},
                                                                                {"⌊", "$\\lfloor$"},
                                                                                {"⌋", "$\\rfloor$"},
                                                                                {"⌈", "$\\lceil$"},
                                                                                {"⌉", "$\\rceil$"},
                                                                                {"√", "$\\surd$"},
                                                                                {"Σ", "$\\Sigma$"},
                                                                                {"Δ", "$\\Delta$"},
                                                                                {"α", "$\\alpha$"},
                                                                                {"β", "$\\beta$"},
                                                                                {"γ", "$\\gamma$"},
                                                                                {"δ", "$\\delta$"},
                                                                                {"ε", "$\\varepsilon$"},
                                                                                {"θ", "$\\theta$"},
                                                                                {"λ", "$\\lambda$"},
                                                                                {"μ", "$\\mu$"},
                                                                                {"π", "$\\pi$"},
                                                                                {"ρ", "$\\rho$"},
                                                                                {"σ", "$\\sigma$"},
                                                                                {"τ", "$\\tau$"},
                                                                                {"ξ", "$\\xi$"},
                                                                                {"²", "$^2$"},
                                                                                {"½", "$\\frac{1}{2}$"},
                                                                                {"∫", "$\\int$"},
                                                                                {"∂", "$\\partial$"},
                                                                                {"¼", "$\\frac{1}{4}$"},
                                                                                {"Â", "\\^{A}"},
                                                                                {"₁", "$_1$"},
                                                                                {"₂", "$_2$"},
                                                                                {"µ", "$\\mu$"},
                                                                                {"…", "\\ldots{}"},
                                                                                {"‖", "$\\|$"},
                                                                                {"→", "$\\to$"},
                                                                                {"\n", " "}}};

bool isWordLetter(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_';
}

/// The length of "_ij" or "^h" at the beginning of `text`; 0: there is no index.
std::size_t lengthOfIndex(std::string_view text) {
    constexpr std::array<std::string_view, 8> kIndices{"ij", "i", "j", "h", "t", "V", "O", "K"};
    if (text.empty() || (text.front() != '_' && text.front() != '^'))
        return 0;
    for (const std::string_view index : kIndices)
        if (text.substr(1).starts_with(index) && (text.size() == 1 + index.size() || !std::isalnum(static_cast<unsigned char>(text[1 + index.size()]))))
            return 1 + index.size();
    return 0;
}

/// "α^h_ij" at the beginning of `text` is one formula, "$\\alpha^{h}_{ij}$"; moves `text` behind it. Empty: no letter with
/// indices begins here. The indices are those of captions, so that "a_b" in a name stays what it is.
std::string takeSymbol(std::string_view& text) {
    std::string_view rest = text;
    std::string base;
    for (const auto& [from, to] : kLatex)
        if (to.starts_with("$\\") && text.starts_with(from)) {
            base = to.substr(1, to.size() - 2);
            rest.remove_prefix(from.size());
        }
    if (base.empty() && std::isalpha(static_cast<unsigned char>(text.front()))) {
        base = text.front();
        rest.remove_prefix(1);
    }
    std::string indices;
    while (const std::size_t length = lengthOfIndex(rest)) {
        indices += rest.front() + ("{" + std::string(rest.substr(1, length - 1)) + "}");
        rest.remove_prefix(length);
    }
    if (base.empty() || indices.empty() || (!rest.empty() && isWordLetter(rest.front())))
        return {};
    text = rest;
    return "$" + base + indices + "$";
}

std::string latexWords(std::string_view text) {
    std::string result;
    bool isInWord = false;
    while (!text.empty()) {
        if (const std::string symbol = isInWord ? std::string() : takeSymbol(text); !symbol.empty()) {
            result += symbol;
            continue;
        }
        isInWord = isWordLetter(text.front());
        bool known = false;
        for (const auto& [from, to] : kLatex) {
            if (!text.starts_with(from))
                continue;
            result += to;
            text.remove_prefix(from.size());
            known = true;
            break;
        }
        if (!known) {
            result += text.front();
            text.remove_prefix(1);
        }
    }
    return result;
}

std::string latexCell(const StudyColumn& column, const StudyCell& cell) {
    return latexWords(shownText(column, cell));
}

} // namespace

std::string headText(const StudyColumn& column) {
    return column.unit.empty() ? column.title : column.title + ", " + column.unit;
}

double shownNumber(const StudyColumn& column, double number) {
    return column.unit == "s" || column.unit == "ms" ? roundedTime(number, column.decimals) : number;
}

std::string shownText(const StudyColumn& column, const StudyCell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell))
        return *text;
    const auto* number = numberOf(cell);
    if (!number)
        return "–";
    auto text = roundedText(column.decimals, shownNumber(column, *number));
    return text.front() == '-' ? "−" + text.substr(1) : text;
}

std::string csvText(const StudyTable& table) {
    return separated(table, ',', [](const StudyColumn& column) { return column.key; }, quoted);
}

std::string tsvText(const StudyTable& table) {
    return separated(table, '\t', headText, onOneLine);
}

std::string latexText(const StudyTable& table) {
    return latexText(table, {});
}

std::string latexText(const StudyTable& table, const TableCells& bold) {
    const std::string& caption = table.caption.empty() ? table.title : table.caption;
    std::string result = "\\begin{table}\n  \\centering\n" + (caption.empty() ? "" : "  \\caption{" + latexWords(caption) + "}\n") +
                         "  \\label{tab:" + table.name + "}\n  \\begin{tabular}{";
    for (const StudyColumn& column : table.columns)
        result += column.text ? 'l' : 'r';
    result += "}\n    \\toprule\n    ";
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        const StudyColumn& one = table.columns[column];
        result += (column ? " & " : "") + latexWords(one.title) +
                  (one.unit.empty() ? "" : " (" + latexWords(one.unit) + ")");
    }
    result += " \\\\\n    \\midrule\n";
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        result += "    ";
        for (std::size_t column = 0; column < table.rows[row].size(); ++column) {
            const std::string cell = latexCell(table.columns.at(column), table.rows[row][column]);
            result += (column ? " & " : "") + (bold.contains({row, column}) ? "\\textbf{" + cell + "}" : cell);
        }
        result += " \\\\\n";
    }
    return result + "    \\bottomrule\n  \\end{tabular}\n\\end{table}\n";
}

} // namespace headroom
