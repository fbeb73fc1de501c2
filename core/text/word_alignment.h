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

/// Aligns two texts with the fewest errors (Levenshtein, each error costs 1); of equally good alignments one with the
/// most words right. Time and memory grow with the product of the lengths; texts of more than
/// `mostCells` (words × words) are not aligned: every word is an error by itself. Pure.
std::vector<AlignedWords> alignWords(const std::vector<std::string>& reference,
                                     const std::vector<std::string>& hypothesis,
                                     std::size_t mostCells = 4'000'000);

} // namespace headroom
