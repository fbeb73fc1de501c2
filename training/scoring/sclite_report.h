// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/scoring/sclite.h"

#include <string>
#include <vector>

namespace headroom::training {

struct ScliteSummaryOptions {
    bool counts = false;     ///< SYSTEM.raw; otherwise SYSTEM.sys, in per cent
    bool characters = false; ///< the units are characters
};
/// sclite's summary by speaker. Speakers are in the order of their first utterances; sclite reads those in the order of the
/// hypotheses. Pure.
std::string scliteSummary(const std::vector<ScliteUtterance>& utterances, const std::string& system,
                          const ScliteSummaryOptions& options = {});

/// sclite's alignments: SYSTEM.pra. Pure. With `caseSensitive` words are as written; otherwise right words
/// are in lower case and wrong ones in upper case (ASCII).
std::string scliteAlignments(const std::vector<ScliteUtterance>& utterances, const std::string& system,
                             bool caseSensitive);

} // namespace headroom::training
