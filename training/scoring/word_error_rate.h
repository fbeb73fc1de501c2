// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::training {

/// The differences between a hypothesis and its reference, in words.
struct WordErrors {
    std::int64_t hits = 0, substitutions = 0, deletions = 0, insertions = 0;
    std::int64_t errors() const { return substitutions + deletions + insertions; }
    std::int64_t referenceWords() const { return hits + substitutions + deletions; }
    WordErrors& operator+=(const WordErrors& other);
};

/// Levenshtein distance with unit costs. If several alignments are equally short, the kinds of error are
/// counted as in rapidfuzz (and jiwer). Throws Error "scoring.tooLong" if a line needs more than 10⁸ cells.
/// Pure.
WordErrors compareWords(std::span<const std::string> reference, std::span<const std::string> hypothesis);

enum class WordRule {
    Fairseq, ///< as core/text/scored_words.h
    Plain    ///< as jiwer: repeated spaces count as one, split only at U+0020; case and punctuation count
};
std::vector<std::string> scoredWords(std::string_view line, WordRule rule);

struct WordErrorRate {
    WordErrors total;
    std::vector<WordErrors> lines;
    /// 100 · errors / reference words; `nullopt` if the reference has no words.
    std::optional<double> percent() const;
};
/// One reference per hypothesis. Throws Error "scoring.lines" if their numbers differ.
WordErrorRate wordErrorRate(std::span<const std::string> references, std::span<const std::string> hypotheses,
                            WordRule rule = WordRule::Fairseq);

/// Throws Error "scoring.lines" unless both have the same number of lines.
void checkSameLines(std::size_t references, std::size_t hypotheses);

} // namespace headroom::training
