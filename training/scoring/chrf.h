// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/scoring/line_statistics.h"

#include <span>
#include <string>

namespace headroom::training {

/// chrF2 of a corpus (Popović 2015) with the defaults of sacreBLEU 2: character n-grams up to 6, no words, β
/// = 2, without spaces, with case.
struct Chrf {
    double score = 0; ///< 0 … 100
    std::string signature;
};
/// Throws Error "scoring.lines" if the numbers of lines differ. Pure.
Chrf chrf(std::span<const std::string> references, std::span<const std::string> hypotheses);

/// The counts of each line: n-grams of the hypothesis, of the reference and of both, for each order. Throws
/// like chrf(). Pure.
LineStatistics chrfStatistics(std::span<const std::string> references,
                              std::span<const std::string> hypotheses);

} // namespace headroom::training
