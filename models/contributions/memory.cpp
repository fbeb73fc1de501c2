// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/contributions/memory.h"

#include "core/analysis/receptive_field.h"
#include "core/time/rounded_time.h"
#include "models/contributions/layer_profiles.h"
#include "models/kernels/pieces.h"
#include "models/layers/device.h"

#include <c10/core/Device.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>

namespace headroom::models {

namespace {

constexpr std::int64_t kFloat = 4, kDouble = 8;
// What torch's own libraries keep for their work, whatever the length: 10 to 29 MB, depending on the processor.
constexpr std::int64_t kScratch = 40'000'000;

/// Numbers of one group's maps between so many queries and keys.
struct MapNumbers {
    std::int64_t held = 0;  ///< as computed: dense, a band, or over compressed keys
    std::int64_t shown = 0; ///< as kept for whoever asked for maps
    std::int64_t virtualHeads = 0;
    bool lent = false; ///< dense: the explanation reads it where it is
};

MapNumbers mapNumbers(const HeadGroup& group, std::int64_t queries, std::int64_t keys) {
    MapNumbers numbers;
    numbers.virtualHeads = group.count;
    std::int64_t width = keys;
    switch (group.kind) {
    case HeadKind::Local:
        width = std::min<std::int64_t>(keys, group.window);
        break;
    case HeadKind::LocalBlock: // three blocks, and the same as a band
        width = group.window / 3 < keys
                    ? std::min<std::int64_t>(keys, 3 * (group.window / 3)) + 4 * (group.window / 3)
                    : keys;
        break;
    case HeadKind::Masked:
        if (group.window > 0 && group.window < keys)
            width = group.window;
        else
            numbers.lent = true;
        break;
    case HeadKind::Conv:
        width = keys / std::max(group.convStride, 1) + 1;
        if (group.convForm != ConvForm::Speechformer)
            numbers.virtualHeads *= (group.convKernel + group.convStride - 1) / std::max(group.convStride, 1);
        break;
    default:
        numbers.lent = true;
    }
    const bool relaxes = relaxesAtInference(group);
    numbers.held = group.count * queries * width * (relaxes ? 2 : 1);
    const std::int64_t columns = group.kind == HeadKind::Conv ? width : keys;
    numbers.shown = group.count * queries * columns * (relaxes ? 2 : 1);
    return numbers;
}

/// One attention block with its explanation: maps, terms, C, the twin.
struct BlockSize {
    std::int64_t queries, keys, width, valueWidth; ///< valueWidth: of all heads together
};

std::int64_t blockBytes(const std::vector<HeadGroup>& groups, const BlockSize& size, Positions positions,
                        const AnalysisOptions& options) {
    const std::int64_t square = size.queries * size.keys;
    std::int64_t held = 0, shown = 0, virtualHeads = 0, widest = 0;
    for (const HeadGroup& group : groups) {
        const MapNumbers numbers = mapNumbers(group, size.queries, size.keys);
        held += numbers.held;
        shown += numbers.shown;
        virtualHeads += numbers.virtualHeads;
        widest = std::max<std::int64_t>(widest, group.count);
    }
    const bool lent = groups.size() == 1 && mapNumbers(groups.front(), 1, 1).lent;
    // While the map is made: scores beside it, and with relative positions the scores of every offset,
    // which the old form puts together of two halves. Relative keys: the scores of the distances, put in their places.
    const std::int64_t copies = positions == Positions::RelativeLegacy ? 7 : positions == Positions::Relative ? 5 : positions == Positions::RelativeKey ? 2 : 1;
    const std::int64_t making = held + widest * square * copies;
    // While it is explained: every virtual head, and one group at a time for the profiles.
    const std::int64_t written = options.explain ? virtualHeads + 2 * widest : widest;
    // The heap keeps what the layer before has freed, and now and then the maps of all virtual heads do not fit into it again.
    const std::int64_t explaining = held + (lent ? 0 : (written + virtualHeads) * square);
    // C, its row sums, and the mask where there is one (8 bytes while it is made).
    const std::int64_t distances = positions == Positions::RelativeKey ? 2 * kDouble * square : 0; // whole numbers, of all heads
    const std::int64_t maps = kFloat * (std::max(making, explaining) + 2 * square) + 9 * square + distances;
    // x, q, k, v and what the heads mixed; x, v and that again in double; u of some keys, in double for the twin; Gram rows.
    const std::int64_t longest = std::max(size.queries, size.keys), some = std::min(kRowsAtOnce, size.keys);
    const std::int64_t pieces = std::max(2, at::get_num_threads()); // of u, one on each thread
    const std::int64_t outputs = options.relevanceNorm == 2 ? 0 : 2 * headCount(groups); // of every head, written out
    const std::int64_t vectors =
        longest * (size.width + size.valueWidth) * (kFloat * 8 + kDouble * 5) + kFloat * longest * size.width * outputs +
        pieces * kDouble * some * size.width * virtualHeads + kFloat * size.keys * virtualHeads * (virtualHeads + 1) / 2;
    const std::int64_t numbers = maps + vectors;
    // Freed pieces that the allocator keeps: up to 7 per cent were measured.
    return numbers + numbers / 12 + (options.keepAttention ? kFloat * shown : 0);
}

/// What the measures of mixing add while a layer is looked at: maps and rollouts, the terms of its heads, and the
/// layer computed again for a batch of units. Units count as tokens, of which there are most.
/// `queries` and `keys`: both the tokens in self-attention.
std::int64_t mixingBytes(const std::vector<HeadGroup>& groups, const BlockSize& size, std::int64_t feedForward,
                         const MixingOptions& options) {
    if (options.measures.empty())
        return 0;
    constexpr std::int64_t kBatchTokens = 2048, kPieces = 12'000'000; // as in models/mixing
    std::int64_t virtualHeads = 0, maps = 0;
    for (const HeadGroup& group : groups)
        virtualHeads += mapNumbers(group, size.queries, size.keys).virtualHeads;
    bool zeroes = false;
    for (const MixingMeasure& measure : options.measures) {
        maps += measure.rollout ? 4 : 3; // of tokens, of units, as handed on; and the rollout so far
        zeroes = zeroes || measure.kind == Mixing::ValueZeroing;
    }
    const std::int64_t square = size.queries * size.keys;
    const std::int64_t terms = virtualHeads * (square + size.keys * size.width);
    const std::int64_t again = zeroes ? std::max(size.queries, kBatchTokens) * (2 * feedForward + 10 * size.width) : 0;
    return kFloat * (maps * square + terms + again) + kPieces;
}

/// Maps that wait for a later layer, the most at any time.
std::int64_t waitingNumbers(const Architecture::Encoder& encoder, std::int64_t tokens) {
    std::int64_t most = 0;
    for (std::size_t now = 0; now < encoder.layers.size(); ++now) {
        std::set<int> waiting;
        for (std::size_t later = now; later < encoder.layers.size(); ++later)
            for (const HeadGroup& group : encoder.layers[later].heads)
                if (group.kind == HeadKind::Reuse && group.reusedLayer <= static_cast<int>(now))
                    waiting.insert(group.reusedLayer);
        std::int64_t numbers = 0;
        for (const int layer : waiting)
            for (const HeadGroup& group : encoder.layers.at(static_cast<std::size_t>(layer - 1)).heads)
                numbers += mapNumbers(group, tokens, tokens).held;
        most = std::max(most, numbers);
    }
    return most;
}

std::string lengthText(double seconds) {
    char length[32];
    std::snprintf(length, sizeof length, "%.3f s", roundedTime(seconds, 3));
    return length;
}

/// The convolutions along time: their input unfolded by the kernel, their output, and the gated half.
std::int64_t frontEndBytes(const Architecture::FrontEnd& frontEnd, std::int64_t frames) {
    if (frontEnd.kind == FrontEndKind::Waveform) { // what a convolution reads, gives, and its norm gives
        std::int64_t most = 0, before = frames;
        for (std::size_t i = 0; i < frontEnd.planes.size(); ++i) {
            const std::int64_t after = before / frontEnd.strides[i] + 1;
            most = std::max(most, before * (i == 0 ? 1 : frontEnd.planes[i - 1]) +
                                      3 * after * frontEnd.planes[i]);
            before = after;
        }
        return kFloat * (most + frames);
    }
    if (frontEnd.kind == FrontEndKind::Text) // rows of a table, narrower than what a layer keeps
        return kFloat * frames;
    if (frontEnd.kind ==
        FrontEndKind::Linear) // the rows after their LayerNorm; the rest is narrower than a layer
        return kFloat * 2 * frames * frontEnd.features;
    if (frontEnd.kind == FrontEndKind::Patches) // the squares side by side, as the convolution reads them
        return kFloat * (frames * frontEnd.features + frontEnd.computedTokens(frames) * frontEnd.kernels.front() * frontEnd.kernels.front());
    const std::int64_t half = frames / frontEnd.strides.front() + 1;
    const std::int64_t unfolded = half * frontEnd.features * frontEnd.kernels.front();
    if (frontEnd.planes.empty())
        return kFloat *
               (2 * frames * frontEnd.features + unfolded + 2 * half * std::int64_t(frontEnd.channels));
    // Along time and features: the largest neighbouring pair of planes, and one more for the activation.
    std::int64_t largest = 0, rows = frames, columns = frontEnd.features, before = rows * columns;
    for (std::size_t i = 0; i < frontEnd.planes.size(); ++i) {
        rows = rows / frontEnd.strides[i] + 1;
        columns = columns / frontEnd.strides[i] + 1;
        const std::int64_t after = rows * columns * frontEnd.planes[i];
        largest = std::max(largest, before + 3 * after);
        before = after;
    }
    return kFloat * largest;
}

/// Of layers whose profiles a device computes together: maps, norms and u.
std::int64_t togetherBytes(const Architecture::Encoder& encoder, std::int64_t tokens, const AnalysisOptions& options) {
    if (!options.strongestPairs || options.keepContributions || usedDevice().is_cpu())
        return 0;
    std::int64_t heads = 0;
    for (const Architecture::Layer& layer : encoder.layers)
        heads = std::max<std::int64_t>(heads, layer.headCount());
    const std::int64_t map = kFloat * heads * tokens * tokens;
    const std::int64_t layers =
        std::min<std::int64_t>(static_cast<std::int64_t>(encoder.layers.size()), ProfilesOfLayers::kHeldBytes / std::max<std::int64_t>(map, 1) + 1);
    return layers * (map + kFloat * tokens * (tokens + 2 * heads * encoder.width));
}

} // namespace

std::int64_t analysisBytes(const Architecture& architecture, std::int64_t frames,
                           const AnalysisOptions& options) {
    const Architecture::Encoder& encoder = architecture.encoder;
    const std::int64_t tokens = architecture.frontEnd.computedTokens(frames);
    frames = architecture.frontEnd.input().window().value_or(frames);
    const std::int64_t frontEnd = frontEndBytes(architecture.frontEnd, frames);
    const std::int64_t feedForward = kFloat * tokens * (2 * encoder.feedForward + 4 * encoder.width);
    std::int64_t attention = 0;
    int number = 0;
    for (const Architecture::Layer& layer : encoder.layers) {
        ++number;
        const bool reuses = !layer.heads.empty() && layer.heads.front().kind == HeadKind::Reuse;
        const BlockSize size{tokens, tokens, encoder.width, (reuses ? 2 : 1) * encoder.width};
        const std::vector<HeadGroup> heads = appliedHeads(encoder, number);
        attention = std::max(
            attention, blockBytes(heads, size, reuses ? Positions::None : encoder.positions, options) +
                           mixingBytes(heads, {tokens, tokens, encoder.width, encoder.width}, encoder.feedForward,
                                       options.mixing));
    }
    attention += kFloat * waitingNumbers(encoder, tokens);
    if (encoder.relativeBias) // the map of the bias, and its product with the gates of a layer
        attention += 2 * kFloat * tokens * tokens * encoder.layers.front().headCount();
    attention += togetherBytes(encoder, tokens, options);
    if (options.keepStates) // layer 0 and this one; what was found waits for the feed-forward block
        attention += feedForward + 2 * kFloat * tokens * encoder.width;
    return std::max({frontEnd, feedForward, attention}) + frames * architecture.frontEnd.features * kFloat + kScratch;
}

std::int64_t decoderAnalysisBytes(const Architecture& architecture, std::int64_t tokens, std::int64_t targets,
                                  const AnalysisOptions& options) {
    const Architecture::Decoder& decoder = architecture.decoder.value();
    const std::int64_t width = decoder.width;
    const BlockSize selfSize{targets, targets, width, width}, crossSize{targets, tokens, width, width};
    const std::int64_t own = blockBytes(decoder.selfAttention, selfSize, Positions::None, options) +
                             mixingBytes(decoder.selfAttention, selfSize, decoder.feedForward, options.mixing);
    // The layer's own results wait for those of its cross-attention.
    const std::int64_t waiting =
        kFloat * targets * targets * (1 + (options.keepAttention ? headCount(decoder.selfAttention) : 0));
    const std::int64_t cross =
        waiting + blockBytes(decoder.crossAttention, crossSize, Positions::None, options) +
        mixingBytes(decoder.crossAttention, crossSize, decoder.feedForward, options.mixing);
    // The encoder's rollouts, which the decoder's continue.
    const std::int64_t rollouts = kFloat * tokens * tokens *
                                  std::ranges::count_if(options.mixing.measures, [](const auto& one) { return one.rollout; });
    // Keys and values of all layers, of targets and memory; logits at the end.
    const std::int64_t cache = kFloat * 2 * decoder.layers * width * (targets + tokens);
    const std::int64_t logits = kFloat * targets * std::max(architecture.vocabulary, 1);
    return std::max({own, cross, logits}) + rollouts + cache + kScratch;
}

std::int64_t freeMemory() {
    std::ifstream file("/proc/meminfo");
    std::string line;
    while (std::getline(file, line)) {
        std::istringstream words(line);
        std::string name;
        std::int64_t kibibytes = 0;
        if (words >> name >> kibibytes && name == "MemAvailable:")
            return kibibytes * 1024;
    }
    return -1;
}

std::int64_t freeMemoryToCompute() {
    return usedDevice().is_cpu() ? freeMemory() : freeDeviceMemory();
}

std::string bytesText(std::int64_t bytes) {
    char text[32];
    const auto value = static_cast<double>(bytes);
    if (bytes >= 1'000'000'000)
        std::snprintf(text, sizeof text, "%.2f GB", value / 1e9);
    else
        std::snprintf(text, sizeof text, "%.0f MB", value / 1e6);
    return text;
}

std::string memorySentence(std::int64_t needed, std::int64_t available, double seconds) {
    constexpr std::int64_t kWorthSaying = 1'000'000'000;
    if (available < 0 || needed < kWorthSaying)
        return {};
    return "Analysing " + lengthText(seconds) + " takes " + bytesText(needed) + " of memory; " +
           bytesText(available) + " is free.";
}

void refuseWhatDoesNotFit(std::int64_t needed, std::int64_t available, double seconds) {
    if (available < 0 || needed <= available)
        return;
    throw Error("model.memory",
                "Analysing " + lengthText(seconds) + " needs " + bytesText(needed) + " of memory, but only " +
                    bytesText(available) + " is free. Select a part of the recording.",
                {{"needed", needed}, {"free", available}, {"seconds", seconds}});
}

} // namespace headroom::models
