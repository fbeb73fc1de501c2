// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiments/scale.h"

#include "core/alignment/plain_number.h"
#include "core/architecture/edits.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headroom {

namespace {

constexpr int kLeastWidth = 32, kWidthStep = 16, kLeastChannels = 8;
constexpr std::int64_t kLeastUpdates = 10, kValidations = 5, kFewestBetween = 5, kMostDecoded = 4;

/// At least `least`, a multiple of `step`, and not more than the original.
int shrunk(int number, double factor, int least, int step) {
    const int wanted = static_cast<int>(std::lround(number * factor / step)) * step;
    return std::min(number, std::max({wanted, least, step}));
}

/// A width must be divisible by every number of heads, and by 16 where the original is.
int stepOf(const std::vector<int>& headCounts) {
    int step = kWidthStep;
    for (const int heads : headCounts)
        step = std::lcm(step, std::max(1, heads));
    return step;
}

std::int64_t share(std::int64_t number, double factor, std::int64_t least) {
    const auto scaledNumber = static_cast<std::int64_t>(std::ceil(static_cast<double>(number) * factor - 1e-9));
    return std::min(number, std::max(least, scaledNumber));
}

} // namespace

Architecture scaled(Architecture architecture, double scale) {
    const InputKind reads = architecture.frontEnd.reads;
    const bool published = !architecture.languageModel && ((reads != InputKind::KaldiLogMel && reads != InputKind::Text) ||
                                                           architecture.lengthAdapter);
    if (scale >= 1 || published)
        return architecture;
    const double factor = std::sqrt(scale);
    dropPublishedCount(architecture);
    if (architecture.languageModel) {
        auto& model = *architecture.languageModel;
        std::vector<int> heads{std::max(1, headCount(model.selfAttention))};
        for (const auto& layer : model.ownHeads)
            heads.push_back(layer.headCount());
        model.width = shrunk(model.width, factor, kLeastWidth, stepOf(heads));
        if (!model.selfAttention.empty()) // an LSTM has none
            model.feedForward = shrunk(model.feedForward, factor, kLeastWidth, kWidthStep);
        return architecture;
    }
    std::vector<int> heads;
    for (const auto& layer : architecture.encoder.layers)
        heads.push_back(layer.headCount());
    if (architecture.decoder) {
        heads.push_back(headCount(architecture.decoder->selfAttention));
        heads.push_back(headCount(architecture.decoder->crossAttention));
    }
    auto& encoder = architecture.encoder;
    const int width = shrunk(encoder.width, factor, kLeastWidth, stepOf(heads));
    if (architecture.decoder) {
        auto& decoder = *architecture.decoder;
        decoder.width = decoder.width == encoder.width ? width : shrunk(decoder.width, factor, kLeastWidth, stepOf(heads));
        decoder.feedForward = shrunk(decoder.feedForward, factor, kLeastWidth, kWidthStep);
    }
    encoder.width = width;
    encoder.feedForward = shrunk(encoder.feedForward, factor, kLeastWidth, kWidthStep);
    if (reads == InputKind::Text) // no convolutions
        return architecture;
    auto& frontEnd = architecture.frontEnd;
    const bool same = frontEnd.planes.empty() || frontEnd.channels == frontEnd.planes.front(); // else it is not used
    if (same)
        frontEnd.channels = shrunk(frontEnd.channels, factor, kLeastChannels, kLeastChannels);
    for (int& planes : frontEnd.planes)
        planes = shrunk(planes, factor, kLeastChannels, kLeastChannels);
    return architecture;
}

Recipe scaled(Recipe recipe, double scale) {
    if (scale >= 1)
        return recipe;
    const std::int64_t before = recipe.length.maxUpdates;
    const std::int64_t updates = share(before, scale * std::sqrt(scale), kLeastUpdates);
    const double ratio = static_cast<double>(updates) / static_cast<double>(before);
    recipe.length.maxUpdates = updates;
    recipe.optimiser.warmupUpdates = share(recipe.optimiser.warmupUpdates, ratio, 1);
    for (auto* count : {&recipe.optimiser.holdUpdates, &recipe.optimiser.decayUpdates,
                        &recipe.optimiser.freezeEncoderUpdates, &recipe.optimiser.relaxationWarmupUpdates,
                        &recipe.checkpoints.statisticsBatches})
        *count = share(*count, ratio, *count > 0);

    const std::int64_t batch = recipe.data.maxBatchFrames, perUpdate = batch * recipe.optimiser.accumulate;
    const std::int64_t frames = share(perUpdate, scale, 1);
    const std::int64_t utterances = recipe.data.maxBatchUtterances * recipe.optimiser.accumulate;
    recipe.optimiser.accumulate = (frames + batch - 1) / batch;
    recipe.data.maxBatchFrames = std::min(batch, std::max(frames / recipe.optimiser.accumulate, recipe.data.maxFrames));
    if (utterances > 0)
        recipe.data.maxBatchUtterances = std::max<std::int64_t>(4, share(utterances, scale, 1) / recipe.optimiser.accumulate);

    recipe.validation.everyEpochs = 0;
    recipe.validation.everyUpdates = std::max(kFewestBetween, updates / kValidations);
    const std::int64_t decoded = recipe.validation.maxUtterances; // 0: all
    recipe.validation.maxUtterances = decoded == 0 ? kMostDecoded : std::min(decoded, kMostDecoded);
    recipe.validation.maxTokens = scaledSearch(static_cast<int>(recipe.validation.maxTokens), scale);
    recipe.checkpoints.everyUpdates = std::max<std::int64_t>(1, updates / std::max<std::int64_t>(10, recipe.checkpoints.average));
    recipe.machine.logEvery = std::max<std::int64_t>(1, share(recipe.machine.logEvery, ratio, 1));
    return recipe;
}

std::int64_t scaledUtterances(std::int64_t utterances, double scale, bool training) {
    return share(utterances, scale, training ? 64 : 16);
}

int scaledSearch(int number, double scale) {
    return static_cast<int>(share(number, std::sqrt(scale), 1));
}

int scaledSample(int utterances, double scale) {
    return static_cast<int>(share(utterances, scale, 4));
}

std::string scaleSentence(double scale) {
    if (scale >= 1)
        return {};
    const std::string s = plainNumber(scale); // "0.0002", as it is typed
    const std::string root = plainNumber(std::round(std::sqrt(scale) * 1e4) / 1e4);
    return "Scaled by " + s + ": updates and schedule × " + s + " × " + root +
           " (at least 10 updates), frames per update and utterances × " + s +
           " (at least 64 for training, 16 of other splits, 4 of a study), width, feed-forward, convolutions, beams and longest "
           "hypothesis × " + root + "; layers, heads, kinds and windows as in the paper. These numbers show that the experiment runs; they cannot be "
           "compared with the printed ones.";
}

} // namespace headroom
