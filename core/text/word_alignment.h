// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace headroom {

/// One step of an alignment of two texts: a word of each (equal, or one in place of the other), or of one only.
struct AlignedWords {
    std::optional<std::string> reference, hypothesis; ///< not both empty
    bool isHit() const { return reference && hypothesis && *reference == *hypothesis; }
    bool isSubstitution() const { return reference && hypothesis && *reference != *hypothesis; }
    bool isDeletion() const { return reference && !hypothesis; }
    bool isInsertion() const { return !reference && hypothesis; }
};

/// Texts of more cells (words × words) take too long to align: 10,000 words each.
constexpr std::size_t kMostAlignedCells = 100'000'000;

/// Aligns two texts with the fewest errors (Levenshtein, each error costs 1); of equally good alignments one with the
/// most words right. Time and memory (a byte per cell) grow with the product of the lengths; texts of more than
/// `mostCells` are not aligned: every word is an error by itself. Pure.
std::vector<AlignedWords> alignWords(const std::vector<std::string>& reference,
                                     const std::vector<std::string>& hypothesis,
                                     std::size_t mostCells = kMostAlignedCells);

} // namespace headroom
