// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/scoring/sclite.h"

#include <array>
#include <vector>

namespace headroom::training {

/// A stretch of an utterance in which at least one system errs.
struct ErrorSegment {
    std::int64_t referenceWords = 0;
    std::array<std::int64_t, 2> errors{};
    bool operator==(const ErrorSegment&) const = default;
};

/// The matched-pair sentence-segment word error test (MAPSSWE, Gillick & Cox 1989) as in sctk's sc_stats.
struct MatchedPairs {
    std::vector<ErrorSegment> segments;
    std::int64_t referenceWords = 0; ///< in all segments; neighbours may share words
    std::array<std::int64_t, 2> errors{};
    double mean = 0, standardDeviation = 0; ///< of the difference of errors, first − second; with n − 1
    double z = 0;                           ///< mean / (standardDeviation / √segments)
    double p = 1;                           ///< two-sided, of the normal distribution
    /// sc_stats' own p, of z cut to two decimals: "<0.001", "0.897".
    std::string printedP() const;
    /// sc_stats' line: "(# segs: 727) (Seg per Sent: 2.533) (% Error: 21.56 17.08) (mean: 0.238) …"
    std::string line(std::size_t utterances) const;
};

/// Compares two systems on the same references. A segment begins one word before the last word that both had
/// right, and ends at the second of two successive words that both have right, or at the end of the
/// utterance; an insertion interrupts a succession. Throws Error "scoring.pairs" unless both have the same
/// utterances and reference words. Pure.
MatchedPairs matchedPairs(const std::vector<ScliteUtterance>& first,
                          const std::vector<ScliteUtterance>& second);

} // namespace headroom::training
