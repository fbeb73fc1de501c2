// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/scoring/line_statistics.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headroom::training {

/// Translation edit rate (Snover et al. 2006) with the defaults of sacreBLEU 2: lower case, split at spaces,
/// one reference.
struct Ter {
    std::int64_t edits = 0, referenceLength = 0; ///< words; a shift of a run of words is one edit
    std::string signature;
    /// 100 · edits / reference words; 100 if only the hypothesis has words, 0 if neither has.
    double score() const;
};
/// Throws Error "scoring.lines" if the numbers of lines differ, "scoring.tooLong". Pure.
Ter ter(std::span<const std::string> references, std::span<const std::string> hypotheses);

/// The edits and the reference words of each line. Throws like ter(). Pure.
LineStatistics terStatistics(std::span<const std::string> references,
                             std::span<const std::string> hypotheses);

/// Returns the edits of one pair of sentences: shifts found greedily as in Tercom, then insertions, deletions
/// and substitutions.
std::int64_t translationEdits(const std::vector<std::string>& reference,
                              const std::vector<std::string>& hypothesis);

} // namespace headroom::training
