// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/scoring/line_statistics.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace headroom::training {

struct BleuOptions {
    bool lowerCase = false;
    bool tokenize = true;        ///< 13a; otherwise split at spaces
    bool effectiveOrder = false; ///< for single sentences: ignores n-grams that are too long for them
    bool smooth = true; ///< exponential smoothing; otherwise an order without a match makes the score 0
    bool splitCompounds = false; ///< splitCompounds() on both sides, before they are cut into tokens
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
    /// The line of multi-bleu.perl, which the tokenised BLEU of IWSLT14 papers comes from: "BLEU = 51.46,
    /// 79.4/59.1/44.4/33.6 (BP=1.000, ratio=1.014, hyp_len=4556, ref_len=4494)"
    std::string multiBleuLine() const;
};

/// Splits words at hyphens, as compound_split_bleu.sh of fairseq: "a-b" becomes "a ##AT##-##AT## b". A hyphen directly after a
/// letter that the hyphen before it took stays, as there: "a-b-c" becomes "a ##AT##-##AT## b-c".
std::string splitCompounds(const std::string& line);

/// Throws Error "scoring.lines" if the numbers of lines differ. Pure.
Bleu bleu(std::span<const std::string> references, std::span<const std::string> hypotheses,
          const BleuOptions& options = {});

/// The counts of each line, as sacreBLEU sums them: hypothesis and reference length, matched n-grams, n-grams
/// of the hypothesis. Throws like bleu(). Pure.
LineStatistics bleuStatistics(std::span<const std::string> references,
                              std::span<const std::string> hypotheses, const BleuOptions& options = {});

} // namespace headroom::training
