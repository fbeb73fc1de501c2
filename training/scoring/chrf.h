// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>

namespace headroom::training {

/// chrF2 of a corpus (Popović 2015) as sacreBLEU 2 computes it by default: character n-grams up to 6, no
/// words, β = 2, blanks left out, case kept.
struct Chrf {
    double score = 0; ///< 0 … 100
    std::string signature;
};
/// Throws Error "scoring.lines" where the numbers of lines differ. Pure.
Chrf chrf(std::span<const std::string> references, std::span<const std::string> hypotheses);

} // namespace headroom::training
