// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace headroom::training {

struct BleuOptions {
    bool lowerCase = false;
    bool tokenize = true;        ///< 13a; otherwise split at spaces
    bool effectiveOrder = false; ///< for single sentences: ignores n-grams that are too long for them
};

/// BLEU of a corpus (Papineni et al. 2002) as in sacreBLEU 2: one reference, n-grams up to 4, exponential
/// smoothing.
struct Bleu {
    double score = 0; ///< 0 … 100
    std::array<std::int64_t, 4> counts{}, totals{};
    std::array<double, 4> precisions{}; ///< percent
    double brevityPenalty = 1;
    std::int64_t hypothesisLength = 0, referenceLength = 0; ///< tokens
    /// "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0": the settings, and the version of
    /// sacreBLEU that gives the same numbers.
    std::string signature;
    /// sacreBLEU's line: "BLEU = 54.40 77.2/58.9/48.3/39.8 (BP = 1.000 ratio = 1.024 hyp_len = 514 ref_len =
    /// 502)"
    std::string line() const;
};

/// Throws Error "scoring.lines" if the numbers of lines differ. Pure.
Bleu bleu(std::span<const std::string> references, std::span<const std::string> hypotheses,
          const BleuOptions& options = {});

} // namespace headroom::training
