// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/corpus/kinds/source_reading.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace headroom {

/// How a split was divided.
struct HeldOutResult {
    std::string note;    ///< for people: the sizes of the parts, and why they differ from the shares that were wanted
    std::string plan;    ///< the same of a division that is not made yet
    nlohmann::json made; ///< {"from": "all", "by": "speaker", "percent": {"dev": 5}, "note": "…"}, for corpus.json
};

/// Moves a share of the training split to each split of CorpusImport::heldOut. Divides the only split whose name begins with “train”,
/// else the only split, which is then called "train".
///
/// Speakers stay whole if every utterance has one and the shares can then be met within a factor of two, else recordings, else utterances.
/// Which ones are moved depends only on the names of speakers and the ids of utterances, not on their order or on where the folder is.
///
/// Throws Error "corpus.holdOut" if there is no single split to divide, a new split already exists or has no possible name, an
/// utterance is a copy at another speed, or no utterance would remain.
HeldOutResult holdOut(std::vector<SourceUtterance>& utterances, const std::vector<HeldOut>& wanted);

/// Says how importCorpus will divide the corpus (HeldOutResult::plan). Reads its tables and texts, no recording; the import may find
/// that some cannot be used. Empty if nothing is held out. Throws Error as importCorpus. Blocks.
std::string plannedHeldOut(CorpusImport request);

/// Throws what holdOut would throw because of the splits, before the recordings are looked at, which may take long. Does nothing if nothing
/// is wanted.
void checkSplitsFor(const std::vector<HeldOut>& wanted, const std::vector<SourceUtterance>& utterances);

} // namespace headroom
