// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headroom::training {

/// Translation edit rate (Snover et al. 2006) as sacreBLEU 2 computes it by default: lower case, cut at
/// blanks, one reference.
struct Ter {
    std::int64_t edits = 0, referenceLength = 0; ///< words; a shift of a run of words is one edit
    std::string signature;
    /// 100 · edits / reference words; 100 where only the hypothesis has words, 0 where neither has.
    double score() const;
};
/// Throws Error "scoring.lines" where the numbers of lines differ, "scoring.tooLong". Pure.
Ter ter(std::span<const std::string> references, std::span<const std::string> hypotheses);

/// Edits of one pair of sentences: shifts found greedily as Tercom does, then insertions, deletions and
/// substitutions.
std::int64_t translationEdits(const std::vector<std::string>& reference,
                              const std::vector<std::string>& hypothesis);

} // namespace headroom::training
