// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiments/plan.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace headroom {

// How much a training computes, before it is started. Frames are those that recipes count in: 10 ms of speech; in text, tokens with
// </s> (of parallel text those of the longer side). Padding is not counted. Pure.

/// What a training reads in one epoch.
struct CorpusExtent {
    std::int64_t utterances = 0;
    double frames = 0;
    double meanFrames() const { return utterances > 0 ? frames / static_cast<double>(utterances) : 0; }
};

/// The extent of a split whose utterances are so many frames long, without those that the recipe's minFrames and maxFrames leave out.
CorpusExtent extentOf(const std::vector<std::int64_t>& frames, const Recipe& recipe);
/// The published extent of the corpus that a training reads, at a scale; `nullopt` where its document states none.
std::optional<CorpusExtent> publishedExtent(const ExperimentCorpus& corpus, const ExperimentStep& training, double scale);

struct TrainingWork {
    double framesPerUpdate = 0; ///< accumulate · min(maxBatchFrames, maxBatchUtterances · mean frames), at most the corpus
    double updates = 0;         ///< min(maxUpdates, maxEpochs · corpus / framesPerUpdate)
    double frames = 0;          ///< updates · framesPerUpdate
    bool atMost = false;        ///< it may end earlier: by patience, or because the corpus is not known
    double hours(double framesPerSecond) const { return frames / framesPerSecond / 3600; }
};

/// Without an extent, the batches are taken as full and maxEpochs cannot count: the most that the recipe computes.
TrainingWork workOf(const Recipe& recipe, const std::optional<CorpusExtent>& corpus);

} // namespace headroom
