// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/scoring/sclite.h"

#include "core/text/unicode_text.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>

namespace headroom::training {
namespace {

constexpr std::size_t kMostScliteCells = 100'000'000, kMostAlternatives = 4096;
constexpr std::int32_t kSubstitutionCost = 4, kGapCost = 3;

/// "@", which is no word: sclite keeps its place in the alignment, where insertions come first among equals. No word is empty.
const std::string kNoWord;

/// The cost of the best alignment of every pair of beginnings. To leave out what is no word costs nothing.
class CostTable {
public:
    CostTable(std::span<const std::string> reference, std::span<const std::string> hypothesis)
        : m_columns(hypothesis.size() + 1) {
        const std::size_t rows = reference.size() + 1;
        if (rows > kMostScliteCells / m_columns)
            throw Error("scoring.tooLong",
                        "A line of " + std::to_string(reference.size()) + " words against one of " +
                            std::to_string(hypothesis.size()) +
                            " is too long to align. Write one sentence per line.",
                        {{"reference", reference.size()}, {"hypothesis", hypothesis.size()}});
        m_cells.resize(rows * m_columns);
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t j = 0; j < m_columns; ++j) {
                std::int32_t& cell = m_cells[i * m_columns + j];
                if (i == 0 && j == 0)
                    continue;
                cell = std::numeric_limits<std::int32_t>::max();
                if (i > 0)
                    cell = (*this)(i - 1, j) + gapCost(reference[i - 1]);
                if (j > 0)
                    cell = std::min(cell, (*this)(i, j - 1) + gapCost(hypothesis[j - 1]));
                if (i > 0 && j > 0 && isPair(reference[i - 1], hypothesis[j - 1]))
                    cell = std::min(cell, (*this)(i - 1, j - 1) + pairCost(reference[i - 1], hypothesis[j - 1]));
            }
    }
    std::int32_t operator()(std::size_t i, std::size_t j) const { return m_cells[i * m_columns + j]; }
    std::int32_t total() const { return m_cells.back(); }
    static std::int32_t gapCost(const std::string& word) { return word == kNoWord ? 0 : kGapCost; }
    static bool isPair(const std::string& a, const std::string& b) { return a != kNoWord && b != kNoWord; }
    static std::int32_t pairCost(const std::string& a, const std::string& b) { return a == b ? 0 : kSubstitutionCost; }

private:
    std::size_t m_columns;
    std::vector<std::int32_t> m_cells;
};

using TrnWords = std::vector<std::string>;

std::string withoutCase(std::string word) {
    for (char& letter : word)
        if (letter >= 'A' && letter <= 'Z')
            letter = static_cast<char>(letter - 'A' + 'a');
    return word;
}

std::vector<std::string> splitAtAsciiBlanks(std::string_view text) {
    TrnWords words;
    for (std::size_t at = 0;;) {
        at = text.find_first_not_of(" \t\r\n\v\f", at);
        if (at == std::string_view::npos)
            return words;
        const std::size_t end = std::min(text.find_first_of(" \t\r\n\v\f", at), text.size());
        words.emplace_back(text.substr(at, end - at));
        at = end;
    }
}

TrnWords lettersOf(const TrnWords& words) {
    TrnWords letters;
    for (const std::string& word : words)
        for (const char32_t point : codePoints(word))
            letters.push_back(utf8({&point, 1}));
    return letters;
}

[[noreturn]] void refuseTrn(const std::string& id, const std::string& problem) {
    throw Error("scoring.badTrn", "The utterance " + id + " " + problem, {{"id", id}});
}

/// Every reading of a text with alternatives: "a { b / c d } e" → "a b e", "a c d e".
std::vector<TrnWords> readings(const TrnLine& line, const ScliteOptions& options) {
    std::vector<TrnWords> before{{}}, branches; // before the braces; of the finished alternatives
    std::optional<std::vector<TrnWords>> current;
    const auto grown = [&](std::vector<TrnWords>& all, const std::string& word) {
        for (TrnWords& one : all)
            one.push_back(word);
    };
    for (const std::string& word : splitAtAsciiBlanks(line.text)) {
        if (word == "{") {
            if (current)
                refuseTrn(line.id, "has alternatives { … } inside alternatives, which is not supported.");
            current.emplace(before);
        } else if (current && (word == "/" || word == "}")) {
            branches.insert(branches.end(), current->begin(), current->end());
            if (branches.size() > kMostAlternatives)
                refuseTrn(line.id, "has more than " + std::to_string(kMostAlternatives) + " readings.");
            current = before;
            if (word == "}") {
                before = std::move(branches);
                branches.clear();
                current.reset();
            }
        } else {
            std::string kept = word.substr(0, word.find(';'));
            if (kept.empty())
                continue;
            if (kept == "@")
                kept = kNoWord;
            grown(current ? *current : before, options.caseSensitive ? kept : withoutCase(kept));
        }
    }
    if (current)
        refuseTrn(line.id, "has alternatives that start with { and do not end with }.");
    if (options.characters)
        for (TrnWords& words : before)
            words = lettersOf(words);
    return before;
}

std::vector<AlignedWord> bestAlignment(const std::vector<TrnWords>& references,
                                       const std::vector<TrnWords>& hypotheses) {
    std::optional<std::int32_t> least;
    const TrnWords *reference = nullptr, *hypothesis = nullptr;
    if (references.size() == 1 && hypotheses.size() == 1)
        return scliteAlignment(references.front(), hypotheses.front());
    if (references.size() * hypotheses.size() > kMostAlternatives)
        throw Error("scoring.badTrn", "An utterance has more than " + std::to_string(kMostAlternatives) +
                                          " pairs of readings.");
    for (const TrnWords& r : references)
        for (const TrnWords& h : hypotheses) {
            const std::int32_t cost = CostTable(r, h).total();
            if (!least || cost < *least) {
                least = cost;
                reference = &r;
                hypothesis = &h;
            }
        }
    return scliteAlignment(*reference, *hypothesis);
}

} // namespace

std::vector<AlignedWord> scliteAlignment(std::span<const std::string> reference,
                                         std::span<const std::string> hypothesis) {
    const CostTable costs(reference, hypothesis);
    std::vector<AlignedWord> pairs;
    for (std::size_t i = reference.size(), j = hypothesis.size(); i > 0 || j > 0;) {
        if (i > 0 && j > 0 && CostTable::isPair(reference[i - 1], hypothesis[j - 1]) &&
            costs(i, j) == costs(i - 1, j - 1) + CostTable::pairCost(reference[i - 1], hypothesis[j - 1])) {
            const bool same = reference[--i] == hypothesis[--j];
            pairs.push_back({reference[i], hypothesis[j], same ? WordEdit::Correct : WordEdit::Substitution});
        } else if (j > 0 && costs(i, j) == costs(i, j - 1) + CostTable::gapCost(hypothesis[j - 1])) {
            if (hypothesis[--j] != kNoWord)
                pairs.push_back({"", hypothesis[j], WordEdit::Insertion});
        } else if (reference[--i] != kNoWord) {
            pairs.push_back({reference[i], "", WordEdit::Deletion});
        }
    }
    std::reverse(pairs.begin(), pairs.end());
    return pairs;
}

WordErrors errorsOf(const std::vector<AlignedWord>& alignment) {
    WordErrors errors;
    for (const AlignedWord& pair : alignment) {
        errors.hits += pair.edit == WordEdit::Correct;
        errors.substitutions += pair.edit == WordEdit::Substitution;
        errors.deletions += pair.edit == WordEdit::Deletion;
        errors.insertions += pair.edit == WordEdit::Insertion;
    }
    return errors;
}

std::vector<TrnLine> parseTrn(std::string_view text, const std::string& name) {
    std::vector<TrnLine> lines;
    std::unordered_map<std::string, std::size_t> places;
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    for (std::size_t at = 0, number = 1; at < text.size(); ++number) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        std::string_view line = text.substr(at, end - at);
        at = end + 1;
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t'))
            line.remove_suffix(1);
        if (line.empty() || line.starts_with(";;"))
            continue;
        const std::size_t open = line.rfind('(');
        if (!line.ends_with(')') || open == std::string_view::npos || open + 2 >= line.size())
            throw Error("scoring.badTrn",
                        "Line " + std::to_string(number) + " of " + name +
                            " does not end with an id in parentheses, as in “the text (speaker_01)”.",
                        {{"file", name}, {"line", number}});
        const std::string id(line.substr(open + 1, line.size() - open - 2));
        if (const auto [place, isNew] = places.try_emplace(id, number); !isNew)
            throw Error("scoring.badTrn",
                        name + " has the id " + id + " in lines " + std::to_string(place->second) + " and " +
                            std::to_string(number) + ".",
                        {{"file", name}, {"line", number}});
        lines.push_back({id, std::string(line.substr(0, open))});
    }
    return lines;
}

std::vector<ScliteUtterance> scliteScore(const std::vector<TrnLine>& references,
                                         const std::vector<TrnLine>& hypotheses,
                                         const ScliteOptions& options) {
    std::unordered_map<std::string_view, const TrnLine*> byId;
    for (const TrnLine& line : hypotheses)
        byId[line.id] = &line;
    std::vector<ScliteUtterance> utterances;
    for (const TrnLine& reference : references) {
        const auto found = byId.find(reference.id);
        if (found == byId.end())
            throw Error("scoring.trnIds", "The hypotheses lack the utterance " + reference.id + ".",
                        {{"id", reference.id}});
        ScliteUtterance one{reference.id, reference.id.substr(0, reference.id.find_first_of("-_")), {}, {}};
        one.words = bestAlignment(readings(reference, options), readings(*found->second, options));
        one.errors = errorsOf(one.words);
        utterances.push_back(std::move(one));
        byId.erase(found);
    }
    if (!byId.empty())
        throw Error("scoring.trnIds",
                    "The references lack the utterance " + std::string(byId.begin()->first) + ".",
                    {{"id", std::string(byId.begin()->first)}});
    return utterances;
}

std::vector<ScliteUtterance> scliteScoreLines(std::span<const std::string> references,
                                              std::span<const std::string> hypotheses,
                                              const ScliteOptions& options) {
    checkSameLines(references.size(), hypotheses.size());
    const auto units = [&](const std::string& line) {
        TrnWords words = splitAtAsciiBlanks(line);
        if (!options.caseSensitive)
            for (std::string& word : words)
                word = withoutCase(word);
        return options.characters ? lettersOf(words) : words;
    };
    std::vector<ScliteUtterance> utterances;
    for (std::size_t i = 0; i < references.size(); ++i) {
        ScliteUtterance one{"line_" + std::to_string(i + 1), "line", {}, {}};
        one.words = scliteAlignment(units(references[i]), units(hypotheses[i]));
        one.errors = errorsOf(one.words);
        utterances.push_back(std::move(one));
    }
    return utterances;
}

LineStatistics wordErrorStatistics(const std::vector<ScliteUtterance>& utterances) {
    LineStatistics statistics{"WER", "sclite", {}, [](std::span<const double> sums) {
                                  if (sums.empty() || sums[0] + sums[1] + sums[2] == 0)
                                      return 0.0;
                                  return 100 * (sums[1] + sums[2] + sums[3]) / (sums[0] + sums[1] + sums[2]);
                              }};
    for (const ScliteUtterance& one : utterances)
        statistics.lines.push_back(
            {static_cast<double>(one.errors.hits), static_cast<double>(one.errors.substitutions),
             static_cast<double>(one.errors.deletions), static_cast<double>(one.errors.insertions)});
    return statistics;
}

} // namespace headroom::training
