// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/memory.h"

#include "core/architecture/cost_shapes.h"
#include "core/architecture/costs.h"
#include "core/architecture/trained_architecture.h"
#include "core/errors/error.h"
#include "models/contributions/memory.h"
#include "models/layers/device.h"
#include "training/data/batching.h"

#include <c10/core/Device.h>

#include <algorithm>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace headroom::training {

namespace {

constexpr std::int64_t kFloat = 4;

/// Of a decoder: what its layers keep, fp32, and keys and values of the encoder's output.
std::int64_t decoderFloats(const Architecture& architecture, const BatchExtent& batch, std::int64_t tokens) {
    if (!architecture.decoder)
        return 0;
    const Architecture::Decoder& decoder = *architecture.decoder;
    const std::int64_t rows = batch.utterances * batch.targets;
    const bool dropout = architecture.encoder.attentionDropout > 0;
    const std::int64_t copies = dropout ? 2 : 1; // softmax, what is left
    const auto numbers = [&](const std::vector<HeadGroup>& groups, std::int64_t keys) { // of maps
        std::int64_t count = 0;
        for (const HeadGroup& group : groups)
            count += group.count * (fusesMap(group, batch.targets, dropout) ? 1 : copies * keys);
        return rows * count;
    };
    const std::int64_t maps =
        numbers(decoder.selfAttention, batch.targets) + numbers(decoder.crossAttention, tokens);
    // Norm, q, k, v, joined heads, result; norm, q, joined heads, result; norm, result; the inner layer.
    const std::int64_t layer = rows * (12 * decoder.width + decoder.feedForward) + maps +
                               2 * batch.utterances * tokens * decoder.width;
    return decoder.layers * layer + 2 * rows * decoder.width;
}

/// A consistency loss passes over each batch twice, and the way back needs what both passes kept.
bool hasSecondPass(const Recipe::Loss& recipe) {
    return recipe.tokenCutoff > 0 || recipe.rDrop > 0;
}

/// Numbers of logits, each held a few times: themselves, their logarithms and the gradients of both; for a divergence
/// of two passes also what it multiplies.
std::int64_t lossFloats(const Architecture& architecture, const Recipe& recipe, const BatchExtent& batch,
                        std::int64_t tokens) {
    constexpr std::int64_t kCopies = 5, kOfDivergence = 8;
    const bool writes = architecture.decoder || architecture.languageModel;
    std::int64_t logits = writes ? batch.utterances * batch.targets * architecture.vocabulary : 0;
    const std::int64_t second = hasSecondPass(recipe.loss) ? (kCopies + kOfDivergence) * logits : 0;
    if (recipe.loss.ctcWeight > 0 || !writes) // without a decoder CTC is the loss
        logits += batch.utterances * tokens * architecture.ctc.value_or(architecture.vocabulary);
    return kCopies * logits + second;
}

} // namespace

DataExtent extentOf(const ExampleSet& examples, const Recipe& recipe) {
    DataExtent extent;
    std::vector<std::int64_t> frames;
    for (const Example& example : examples.examples) {
        frames.push_back(example.computedFrames());
        extent.frames += example.frames;
    }
    for (const auto& members :
         makeBatches(frames, recipe.data.maxBatchFrames, recipe.data.maxBatchUtterances)) {
        BatchExtent batch{static_cast<std::int64_t>(members.size()), 0, 0};
        for (const std::int64_t index : members) {
            const Example& example = examples.examples[static_cast<std::size_t>(index)];
            batch.frames = std::max(batch.frames, example.computedFrames());
            batch.targets = std::max(batch.targets, static_cast<std::int64_t>(example.target.size() + example.form->prompt.size()));
        }
        extent.batches.push_back(batch);
    }
    return extent;
}

MemoryNeeds predictedNeeds(const Architecture& architecture, const Recipe& recipe, const DataExtent& data,
                           const std::string& precision, bool severalRanks, bool onCpu) {
    const bool half = precision == "bf16";
    // Of what the layers keep in single precision: linear layers keep half of it, norms and maps all.
    const double kept = half ? 0.65 : 1.0;
    double largest = 0;
    std::int64_t features = 0;
    for (const BatchExtent& batch : data.batches) {
        const std::int64_t frames =
            architecture.languageModel ? batch.targets : inputFrames(architecture.frontEnd, batch.frames);
        const EncoderCosts encoder = encoderCosts(architecture, frames);
        const double forward =
            (hasSecondPass(recipe.loss) ? 2 : 1) * kept *
            static_cast<double>(batch.utterances * encoder.activationBytes +
                                kFloat * decoderFloats(architecture, batch, encoder.tokens));
        // Beside it, where the way back begins: the losses' gradients, then those of the last inner layer.
        const std::int64_t losses = lossFloats(architecture, recipe, batch, encoder.tokens);
        const std::int64_t width = architecture.languageModel ? architecture.languageModel->feedForward
                                                              : architecture.encoder.feedForward;
        const std::int64_t inner = 3 * batch.utterances * encoder.tokens * width;
        largest =
            std::max(largest, forward + static_cast<double>(kFloat * std::max(losses, losses / 3 + inner)));
        if (!architecture.languageModel)
            features = std::max(features, kFloat * batch.utterances * frames * architecture.frontEnd.features);
    }
    const std::int64_t parameters = parameterCosts(trainedArchitecture(architecture, recipe.loss.ctcWeight > 0)).parameters;
    // Weights, two moments; gradients come while what was kept goes, unless there are some already. The sums
    // over several ranks have a place of their own.
    const std::int64_t copies =
        (recipe.optimiser.accumulate > 1 ? 4 : 3) + (recipe.optimiser.weightNoise > 0 ? 1 : 0) + (severalRanks ? 1 : 0);
    const std::int64_t each = kFloat * copies + (half ? 2 : 0);
    const std::int64_t cache = architecture.languageModel ? 0 : std::min(recipe.data.cacheMegabytes * 1'000'000,
                                        kFloat * inputFrames(architecture.frontEnd, data.frames) *
                                            architecture.frontEnd.features);
    const std::int64_t ahead = (2 * recipe.data.loaderThreads + 1) * features;
    // Measured: holes between tensors of many sizes, and what torch's own libraries keep for their work.
    constexpr double kHoles = 1.4;
    constexpr std::int64_t kScratch = 40'000'000;
    MemoryNeeds needs;
    needs.computing = static_cast<std::int64_t>(kHoles * largest) + each * parameters + kScratch;
    if (!onCpu)
        needs.computing += 2 * features; // the batch in work, and the next one on its way
    needs.loading = cache + ahead;
    return needs;
}

std::int64_t usedBytes() {
    if (!models::usedDevice().is_cpu())
        return std::max<std::int64_t>(0, models::takenDeviceMemory());
    std::ifstream file("/proc/self/statm");
    std::int64_t size = 0, resident = 0;
    file >> size >> resident;
    return resident * ::sysconf(_SC_PAGESIZE);
}

std::int64_t peakUsedBytes() {
    if (!models::usedDevice().is_cpu())
        return std::max<std::int64_t>(0, models::peakDeviceMemory());
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss * 1024;
}

void refuseTrainingThatDoesNotFit(const MemoryNeeds& needs, const std::string& device, std::int64_t freeThere,
                                  std::int64_t freeHere) {
    const bool onCpu = device == "cpu";
    const std::int64_t needed = onCpu ? needs.onCpu() : needs.computing;
    if (freeThere >= 0 && needed > freeThere)
        throw Error("train.doesNotFit",
                    "This run needs about " + models::bytesText(needed) + " of memory, but only " + models::bytesText(freeThere) +
                        " is free" + (onCpu ? "" : " on " + device) +
                        ". A smaller data.maxBatchFrames with a larger optimiser.accumulate trains the same model with less memory.",
                    {{"needed", needed}, {"available", freeThere}, {"device", device}});
    if (!onCpu && freeHere >= 0 && needs.loading > freeHere)
        throw Error("train.doesNotFit",
                    "Loading the data of this run needs about " + models::bytesText(needs.loading) +
                        " of the machine's memory, but only " + models::bytesText(freeHere) +
                        " is free. Lower data.cacheMegabytes.",
                    {{"needed", needs.loading}, {"available", freeHere}, {"device", "cpu"}});
}

} // namespace headroom::training
