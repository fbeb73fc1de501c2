// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/scoring/word_error_rate.h"

#include "core/errors/count_text.h"
#include "core/text/scored_words.h"
#include "core/text/unicode_text.h"
#include "core/text/word_alignment.h"

#include <algorithm>
#include <unordered_map>

namespace headroom::training {

namespace {

std::vector<std::string> plainWords(std::string_view line) {
    const auto points = codePoints(line);
    std::u32string plain;
    for (std::size_t i = 0; i < points.size();) {
        std::size_t end = i;
        while (end < points.size() && isBlank(points[end]))
            ++end;
        if (end - i >= 2)
            plain.push_back(U' ');
        else
            plain.push_back(points[i]);
        i = std::max(end, i + 1);
    }
    const auto first = std::find_if_not(plain.begin(), plain.end(), isBlank);
    const auto last = std::find_if_not(plain.rbegin(), plain.rend(), isBlank).base();
    std::vector<std::string> words;
    std::u32string word;
    for (auto at = first; at < last; ++at) {
        if (*at == U' ') {
            words.push_back(utf8(word));
            word.clear();
        } else {
            word.push_back(*at);
        }
    }
    if (first < last)
        words.push_back(utf8(word));
    std::erase(words, "");
    return words;
}

} // namespace

WordErrors& WordErrors::operator+=(const WordErrors& other) {
    hits += other.hits;
    substitutions += other.substitutions;
    deletions += other.deletions;
    insertions += other.insertions;
    return *this;
}

WordErrors compareWords(std::span<const std::string> reference, std::span<const std::string> hypothesis) {
    WordErrors result;
    // Equal beginnings and ends first, as rapidfuzz does: it decides between equally short alignments.
    while (!reference.empty() && !hypothesis.empty() && reference.front() == hypothesis.front()) {
        reference = reference.subspan(1);
        hypothesis = hypothesis.subspan(1);
        ++result.hits;
    }
    while (!reference.empty() && !hypothesis.empty() && reference.back() == hypothesis.back()) {
        reference = reference.first(reference.size() - 1);
        hypothesis = hypothesis.first(hypothesis.size() - 1);
        ++result.hits;
    }
    const std::size_t rows = reference.size() + 1, columns = hypothesis.size() + 1;
    if (rows > kMostAlignedCells / columns)
        throw Error("scoring.tooLong",
                    "A line of " + std::to_string(rows - 1) + " words against one of " +
                        std::to_string(columns - 1) + " is too long to align. Write one sentence per line.",
                    {{"reference", rows - 1}, {"hypothesis", columns - 1}});
    std::unordered_map<std::string_view, int> numbers;
    const auto numbered = [&](std::span<const std::string> words) {
        std::vector<int> result2;
        for (const auto& word : words)
            result2.push_back(numbers.try_emplace(word, static_cast<int>(numbers.size())).first->second);
        return result2;
    };
    const auto r = numbered(reference), h = numbered(hypothesis);
    std::vector<std::int32_t> cells(rows * columns);
    const auto cell = [&](std::size_t i, std::size_t j) -> std::int32_t& { return cells[i * columns + j]; };
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) {
            if (i == 0 || j == 0)
                cell(i, j) = static_cast<std::int32_t>(i + j);
            else
                cell(i, j) = std::min({cell(i - 1, j - 1) + (r[i - 1] != h[j - 1] ? 1 : 0),
                                       cell(i - 1, j) + 1, cell(i, j - 1) + 1});
        }
    std::size_t i = rows - 1, j = columns - 1;
    while (i > 0 && j > 0) {
        if (cell(i, j) - cell(i - 1, j) == 1) {
            ++result.deletions;
            --i;
        } else if (j > 1 && cell(i, j - 1) - cell(i - 1, j - 1) == -1) {
            ++result.insertions;
            --j;
        } else {
            ++(r[i - 1] == h[j - 1] ? result.hits : result.substitutions);
            --i;
            --j;
        }
    }
    result.deletions += static_cast<std::int64_t>(i);
    result.insertions += static_cast<std::int64_t>(j);
    return result;
}

std::vector<std::string> scoredWords(std::string_view line, WordRule rule) {
    return rule == WordRule::Fairseq ? headroom::scoredWords(line) : plainWords(line);
}

std::optional<double> WordErrorRate::percent() const {
    if (total.referenceWords() == 0)
        return std::nullopt;
    return 100.0 * static_cast<double>(total.errors()) / static_cast<double>(total.referenceWords());
}

void checkSameLines(std::size_t references, std::size_t hypotheses) {
    if (references != hypotheses)
        throw Error("scoring.lines",
                    "The references have " + counted(static_cast<std::int64_t>(references), "line") + " and the hypotheses " +
                        grouped(static_cast<std::int64_t>(hypotheses)) + "; they must correspond line by line.",
                    {{"references", references}, {"hypotheses", hypotheses}});
}

WordErrorRate wordErrorRate(std::span<const std::string> references, std::span<const std::string> hypotheses,
                            WordRule rule) {
    checkSameLines(references.size(), hypotheses.size());
    WordErrorRate result;
    for (std::size_t i = 0; i < references.size(); ++i) {
        result.lines.push_back(
            compareWords(scoredWords(references[i], rule), scoredWords(hypotheses[i], rule)));
        result.total += result.lines.back();
    }
    return result;
}

} // namespace headroom::training
