// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/cost_shapes.h"

#include "core/architecture/layer_rules.h"

#include <algorithm>

namespace headroom {

std::vector<FrontConvolution> frontConvolutions(const Architecture& architecture) {
    const auto& front = architecture.frontEnd;
    const bool planes = front.kind == "conv2d", glu = front.activation == "glu";
    std::vector<FrontConvolution> result;
    Count features = front.features, channels = planes ? 1 : front.features;
    for (std::size_t i = 0; i < front.kernels.size(); ++i) {
        const bool last = i + 1 == front.kernels.size();
        const Count width = Count(architecture.encoder.width) * (glu ? 2 : 1);
        const Count out = planes ? front.planes.at(i) : last ? width : front.channels;
        FrontConvolution one{channels, out, front.kernels[i],     front.strides[i],
                             planes,   1,   front.norm == "batch"};
        if (planes)
            one.featuresOut = features = one.lengthOf(features);
        result.push_back(one);
        channels = glu ? out / 2 : out;
    }
    return result;
}

Count projectionInputs(const Architecture& architecture) {
    if (architecture.frontEnd.kind == "conv1d")
        return architecture.frontEnd.projection ? architecture.encoder.width : 0;
    const auto convolutions = frontConvolutions(architecture);
    return convolutions.empty() ? 0 : convolutions.back().out * convolutions.back().featuresOut;
}

bool reusesMap(const Architecture::Layer& layer) {
    return !layer.heads.empty() && layer.heads.front().kind == HeadKind::Reuse;
}

const Architecture::Layer& mapsOf(const Architecture::Encoder& encoder, std::size_t layer) {
    const auto& own = encoder.layers.at(layer);
    return reusesMap(own) ? encoder.layers.at(static_cast<std::size_t>(own.heads.front().reusedLayer) - 1)
                          : own;
}

namespace {

Count convGroup(const HeadGroup& group, Count width, Count channels) {
    const Count kernel = group.convKernel, depthwise = channels * kernel + channels;
    if (group.convForm == "speechformer") // one for keys and values, before their projections
        return 2 * width * width * kernel + 2 * width;
    if (group.convForm == "separable")
        return 2 * (depthwise + linearCount(channels, channels));
    if (group.convForm == "normal")
        return 2 * (channels * channels * kernel + channels);
    return 2 * depthwise;
}

Count attentionParameters(const Architecture::Encoder& encoder, const Architecture::Layer& layer) {
    const Count width = encoder.width;
    const bool bias = encoder.queryKeyValueBias;
    if (reusesMap(layer))
        return linearCount(width, 2 * width, bias) + linearCount(2 * width, width);
    Count count = 3 * linearCount(width, width, bias) + linearCount(width, width);
    if (encoder.positions == "relative")
        count += width * width + 2 * width; // linear_pos, u, v
    for (const auto& group : layer.heads)
        if (group.kind == HeadKind::Conv)
            count += convGroup(group, width, width / layer.headCount());
    return count;
}

} // namespace

LayerParameters layerParameters(const Architecture::Encoder& encoder, std::size_t layer) {
    const Count width = encoder.width, inner = encoder.feedForward;
    LayerParameters result;
    result.attention = attentionParameters(encoder, encoder.layers.at(layer));
    result.feedForward = linearCount(width, inner) + linearCount(inner, width);
    result.norms = 2 * 2 * width;
    if (encoder.convolution) {
        const auto& convolution = *encoder.convolution;
        result.feedForward *= 2;
        result.norms = 5 * 2 * width;
        result.convolution = linearCount(width, 2 * width, convolution.bias) + width * convolution.kernel +
                             2 * width + linearCount(width, width, convolution.bias);
    }
    return result;
}

void checkCountable(const Architecture& architecture) {
    const auto surroundings = surroundingsOf(architecture);
    const auto& layers = architecture.encoder.layers;
    for (int number = 1; number <= static_cast<int>(layers.size()); ++number)
        if (const auto mistake = layerMistake(layers, number, surroundings)) {
            const auto name =
                architecture.name.empty() ? std::string("This architecture") : architecture.name;
            const auto text = toText(layers[static_cast<std::size_t>(number) - 1].heads);
            throw Error("architecture.kindNotBuilt",
                        name + " cannot be counted: layer " + std::to_string(number) + ", “" + text +
                            "”: " + mistake->reason + ".",
                        {{"name", architecture.name}, {"layer", number}, {"kind", text}});
        }
}

namespace {

/// Queries × keys at most `reach` apart, cut at both ends.
Count bandPairs(Count tokens, Count reach) {
    const Count r = std::min(reach, tokens - 1);
    return tokens * (2 * r + 1) - r * (r + 1);
}

GroupKeys convKeys(const HeadGroup& group, Count tokens) {
    // models/attention/conv: padding ⌊S/2⌋, filled on the right until the last place is the last token's;
    // Speechformer's form has ⌊K/2⌋ and is only filled up to its kernel.
    const Count kernel = group.convKernel, stride = group.convStride;
    const bool speechformer = group.convForm == "speechformer";
    const Count room = tokens + 2 * (speechformer ? kernel / 2 : stride / 2) - kernel;
    const Count over = std::max<Count>(tokens - kernel, 0) % stride;
    GroupKeys result;
    result.keys = room < 0 ? 1 : room / stride + 1;
    result.filled = speechformer ? std::max<Count>(-room, 0)
                                 : std::max<Count>(kernel - tokens, 0) + (over ? stride - over : 0);
    result.made = (room + result.filled) / stride + 1;
    result.padded = room + kernel + result.filled;
    result.scored = result.mixed = result.stored = tokens * result.keys;
    return result;
}

} // namespace

GroupKeys groupKeys(const HeadGroup& group, Count tokens) {
    if (group.kind == HeadKind::Conv)
        return convKeys(group, tokens);
    GroupKeys result;
    result.keys = tokens;
    if (group.kind == HeadKind::LocalBlock) {
        const Count size = group.window / 3, blocks = (tokens + size - 1) / size;
        result.scored = result.mixed = result.stored =
            blocks * size * 3 * size; // the last block is filled up
        result.reusedStored = tokens * (4 * size - 1);
        result.reused = bandPairs(tokens, 2 * size - 1);
        return result;
    }
    const Count reach =
        group.kind == HeadKind::Local ? std::min<Count>(group.window / 2, tokens - 1) : tokens;
    if (2 * reach + 1 < tokens) {
        result.band = true;
        result.offsets = 2 * reach + 1;
        result.scored = result.mixed = result.reused = bandPairs(tokens, reach);
        result.stored = result.reusedStored = tokens * result.offsets;
    } else { // whole rows, of which the kernel hides what lies outside or ahead
        result.offsets = 2 * tokens - 1;
        result.scored = result.mixed = result.stored = result.reused = result.reusedStored = tokens * tokens;
    }
    return result;
}

} // namespace headroom
