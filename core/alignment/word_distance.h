// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/text_grid.h"
#include "core/statistics/undefined.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace headroom {

/// Returns pairs (index in left, index in right) of equal labels in the cheapest edit of one sequence into
/// the other (substitution, insertion, deletion cost 1), in order.
std::vector<std::pair<std::size_t, std::size_t>> matchingLabels(std::span<const std::string> left,
                                                                std::span<const std::string> right);

/// A word as words are compared: ASCII letters in lower case, without the ASCII punctuation around it.
std::string comparedWord(const std::string& label);

/// A word that two alignments share.
struct WordDifference {
    std::size_t found = 0, reference = 0; ///< indices of the two intervals
    Seconds start, end;                   ///< found − reference
};

/// How far found words are from a reference.
struct WordDistance {
    std::vector<WordDifference> words; ///< in order
    /// Mean |found − reference| over both boundaries of these words, in seconds; NaN without one.
    double mean = kUndefined;
};

/// Compares the boundaries of the words that both have (matchingLabels over comparedWord). Silences and words
/// that only one side has do not count, so a misheard word is not taken for a wrong time. Pure.
WordDistance wordDistance(std::span<const Interval> found, std::span<const Interval> reference);

} // namespace headroom
