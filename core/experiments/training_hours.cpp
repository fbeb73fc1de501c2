// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiments/training_hours.h"

#include "core/experiments/scale.h"

#include <algorithm>

namespace headroom {

namespace {

constexpr double kFramesPerSecondOfSpeech = 100;

} // namespace

CorpusExtent extentOf(const std::vector<std::int64_t>& frames, const Recipe& recipe) {
    CorpusExtent extent;
    const LengthLimits limits = recipe.data.limits().training;
    for (const std::int64_t length : frames)
        if (limits.contains(length)) {
            ++extent.utterances;
            extent.frames += static_cast<double>(length);
        }
    return extent;
}

std::optional<CorpusExtent> publishedExtent(const ExperimentCorpus& corpus, const ExperimentStep& training, double scale) {
    if (!corpus.size)
        return std::nullopt;
    const PublishedSize& size = *corpus.size;
    CorpusExtent extent{size.utterances, 0};
    if (training.task == "lm_text") {
        if (!size.sentences || !size.sentenceTokens)
            return std::nullopt;
        extent = {*size.sentences, *size.sentenceTokens};
    } else if (training.isLanguageModel()) {
        extent.frames = size.targetTokens.value_or(0);
    } else if (corpus.isText) {
        extent.frames = std::max(size.sourceTokens.value_or(0), size.targetTokens.value_or(0));
    } else {
        extent.frames = size.seconds.value_or(0) * kFramesPerSecondOfSpeech;
    }
    if (extent.utterances <= 0 || extent.frames <= 0)
        return std::nullopt;
    const double mean = extent.meanFrames();
    extent.utterances = scaledUtterances(extent.utterances, scale, true);
    extent.frames = mean * static_cast<double>(extent.utterances);
    return extent;
}

TrainingWork workOf(const Recipe& recipe, const std::optional<CorpusExtent>& corpus) {
    TrainingWork work;
    const Recipe::Length& length = recipe.length;
    const auto maxUpdates = static_cast<double>(length.maxUpdates);
    double batch = static_cast<double>(recipe.data.maxBatchFrames);
    if (corpus && recipe.data.maxBatchUtterances > 0)
        batch = std::min(batch, static_cast<double>(recipe.data.maxBatchUtterances) * corpus->meanFrames());
    work.framesPerUpdate = static_cast<double>(recipe.optimiser.accumulate) * batch;
    work.updates = maxUpdates;
    if (corpus) {
        work.framesPerUpdate = std::min(work.framesPerUpdate, corpus->frames);
        if (length.maxEpochs > 0 && work.framesPerUpdate > 0)
            work.updates = std::min(maxUpdates, static_cast<double>(length.maxEpochs) * corpus->frames / work.framesPerUpdate);
    }
    work.frames = work.updates * work.framesPerUpdate;
    work.atMost = length.patience > 0 || !corpus;
    return work;
}

} // namespace headroom
