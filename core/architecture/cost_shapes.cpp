// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/cost_shapes.h"

#include "core/architecture/layer_rules.h"

#include <algorithm>

namespace headroom {

std::vector<FrontConvolution> frontConvolutions(const Architecture& architecture) {
    const auto& front = architecture.frontEnd;
    const bool depthwise = front.kind == FrontEndKind::Depthwise2d;
    const bool patches = front.kind == FrontEndKind::Patches;
    const bool planes = front.kind == FrontEndKind::Conv2d || depthwise || patches,
               glu = front.activation == FrontEndActivation::Glu;
    const bool listed = front.kind != FrontEndKind::Conv1d && !patches;
    std::vector<FrontConvolution> result;
    Count features = front.features, channels = planes ? 1 : front.features;
    for (std::size_t i = 0; i < front.kernels.size(); ++i) {
        const bool last = i + 1 == front.kernels.size();
        const Count width = Count(architecture.encoder.width) * (glu ? 2 : 1);
        const Count out = listed ? front.planes.at(i) : last ? width : front.channels;
        const bool norm = front.norm == FrontEndNorm::Group ? i == 0 : front.norm != FrontEndNorm::None;
        FrontConvolution one{channels, out, front.kernels[i], front.strides[i], planes, 1, norm, front.padding(i)};
        if (planes)
            one.featuresOut = features = patches ? front.bands() : one.lengthOf(features);
        if (depthwise && i > 0) // a pointwise one behind it
            one.in = 1;
        result.push_back(one);
        if (depthwise && i > 0)
            result.push_back({out, out, 1, 1, planes, features, false});
        channels = glu ? out / 2 : out;
    }
    return result;
}

Count projectionInputs(const Architecture& architecture) {
    if (architecture.frontEnd.kind == FrontEndKind::Conv1d)
        return architecture.frontEnd.projection ? architecture.encoder.width : 0;
    if (architecture.frontEnd.kind == FrontEndKind::Linear)
        return architecture.frontEnd.features;
    if (architecture.frontEnd.kind == FrontEndKind::Patches)
        return 0;
    const auto convolutions = frontConvolutions(architecture);
    return convolutions.empty() ? 0 : convolutions.back().out * convolutions.back().featuresOut;
}

Count tokensOf(const Architecture::FrontEnd& frontEnd, Count rows) {
    return rows * frontEnd.bands() + frontEnd.classTokens;
}

bool reusesMap(const Architecture::Layer& layer) {
    return !layer.heads.empty() && layer.heads.front().kind == HeadKind::Reuse;
}

const Architecture::Layer& mapsOf(const Architecture::Encoder& encoder, std::size_t layer) {
    const auto& own = encoder.layers.at(layer);
    return reusesMap(own) ? encoder.layers.at(static_cast<std::size_t>(own.heads.front().reusedLayer) - 1)
                          : own;
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

/// Queries × keys at most `reach` before them, and the query itself.
Count pastPairs(Count tokens, Count reach) {
    const Count r = std::min(reach, tokens - 1);
    return tokens * (r + 1) - r * (r + 1) / 2;
}

/// Queries × keys of the same block or of two neighbouring ones; the last block may be shorter.
Count blockPairs(Count tokens, Count size) {
    const Count blocks = (tokens + size - 1) / size, last = tokens - (blocks - 1) * size;
    if (blocks == 1)
        return tokens * tokens;
    return (blocks - 1) * size * size + last * last + 2 * ((blocks - 2) * size * size + size * last);
}

} // namespace

GroupKeys groupKeys(const HeadGroup& group, Count tokens) {
    GroupKeys result;
    result.keys = tokens;
    result.offsets = 2 * tokens - 1;
    result.visible = result.stored = tokens * tokens;
    if (group.kind == HeadKind::Masked) {
        const Count reach = group.window == 0 ? tokens - 1 : group.window / 2;
        result.visible = pastPairs(tokens, reach);
        result.band = 2 * reach + 1 < tokens; // half of it hidden
        if (result.band) {
            result.offsets = 2 * reach + 1;
            result.stored = tokens * result.offsets;
        }
    }
    if (group.kind == HeadKind::Local) {
        const Count reach = std::min<Count>(group.window / 2, tokens - 1);
        result.visible = bandPairs(tokens, reach);
        result.band = reach < tokens - 1; // a window that hides nothing runs as a map
        if (result.band) {
            result.offsets = 2 * reach + 1;
            result.stored = tokens * result.offsets;
        }
    }
    if (group.kind == HeadKind::LocalBlock) {
        const Count size = group.window / 3;
        result.visible = blockPairs(tokens, size);
        result.band = size < tokens; // of reach 2 · size − 1, a quarter of it hidden; one block is a full map
        result.stored = tokens * (result.band ? 4 * size - 1 : tokens);
    }
    if (group.kind == HeadKind::Conv) { // models/attention/conv
        const Count kernel = group.convKernel, stride = group.convStride;
        const Count padding = group.convForm == ConvForm::Speechformer ? kernel / 2 : stride / 2;
        const Count room = tokens + 2 * padding - kernel;
        result.keys = room < 0 ? 1 : room / stride + 1;
        result.padded = std::max(padding + tokens, (result.keys - 1) * stride + kernel);
        result.visible = result.stored = tokens * result.keys;
    }
    return result;
}

bool fusesMap(const HeadGroup& group, Count tokens, bool dropout) {
    constexpr Count kFewQueries = 8; // group_pass.cpp
    const bool oneMean = !group.relaxed || group.kind != HeadKind::Masked;
    return !dropout && tokens > kFewQueries && !group.smoothed && !group.suppressed && oneMean &&
           group.kind != HeadKind::Reuse && !groupKeys(group, tokens).band;
}

bool fusesMap(const Architecture::Encoder& encoder, std::size_t layer, const HeadGroup& group, Count tokens,
              bool dropout) {
    const auto reused = [&](const Architecture::Layer& later) {
        return reusesMap(later) && later.heads.front().reusedLayer == static_cast<int>(layer) + 1;
    };
    return !isRelative(encoder.positions) && !encoder.relativeKey && !encoder.relativeBias &&
           std::none_of(encoder.layers.begin(), encoder.layers.end(), reused) &&
           fusesMap(group, tokens, dropout);
}

} // namespace headroom
