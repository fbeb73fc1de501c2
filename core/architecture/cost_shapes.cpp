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
        FrontConvolution one{channels, out,  front.kernels[i], front.strides[i], planes,
                             1,        norm, front.bias,       front.padding(i)};
        if (planes)
            one.featuresOut = features = patches ? front.bands() : one.lengthOf(features);
        if (depthwise && i > 0) // a pointwise one behind it
            one.in = 1;
        result.push_back(one);
        if (depthwise && i > 0)
            result.push_back({out, out, 1, 1, planes, features, false, true, 0});
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

Count projectionParameters(const Architecture& architecture) {
    const Count inputs = projectionInputs(architecture);
    if (inputs == 0)
        return 0;
    const bool norm =
        architecture.frontEnd.kind == FrontEndKind::Linear ||
        (architecture.frontEnd.kind == FrontEndKind::Waveform && architecture.frontEnd.projectionNorm);
    return linearCount(inputs, architecture.encoder.width) + (norm ? 2 * inputs : 0);
}

Count tokensOf(const Architecture::FrontEnd& frontEnd, Count rows) {
    return rows * frontEnd.bands() + frontEnd.classTokens;
}

Count positionParameters(const Architecture& architecture) {
    const Architecture::Encoder& encoder = architecture.encoder;
    const Count width = encoder.width;
    Count count = 0;
    if (const auto& positional = encoder.positionalConvolution) {
        const Count one = width * (width / positional->groups) * positional->kernel + width;
        count += positional->layers * (one + (positional->weightNorm ? positional->kernel : 0));
        if (positional->norm == PositionalNorm::Batch)
            count += 2 * width;
    }
    if (const auto& bias = encoder.relativeBias)
        count += Count(bias->buckets) * encoder.layers.front().headCount();
    if (encoder.positions == Positions::Learnt)
        count += architecture.frontEnd.computedTokens(0) * width;
    return count + (encoder.inputNorm ? 2 * width : 0);
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
    if (group.convForm == ConvForm::Speechformer) // one for keys and values, before their projections
        return 2 * width * width * kernel + 2 * width;
    if (group.convForm == ConvForm::Separable)
        return 2 * (depthwise + linearCount(channels, channels));
    if (group.convForm == ConvForm::Normal)
        return 2 * (channels * channels * kernel + channels);
    return 2 * depthwise;
}

Count attentionParameters(const Architecture::Encoder& encoder, const Architecture::Layer& layer) {
    const Count width = encoder.width;
    const bool bias = encoder.queryKeyValueBias;
    if (reusesMap(layer))
        return linearCount(width, 2 * width, bias) + linearCount(2 * width, width, encoder.outputBias);
    Count count = 3 * linearCount(width, width, bias) + linearCount(width, width, encoder.outputBias);
    if (!encoder.keyBias)
        count -= width;
    if (isRelative(encoder.positions))
        count += width * width + 2 * width; // linear_pos, u, v
    if (const auto& key = encoder.relativeKey) // one vector for each distance
        count += (key->left + key->right + 1) * (width / layer.headCount());
    if (encoder.relativeBias) { // eight numbers of a head's input make its gate, and one constant
        const Count heads = layer.headCount();
        count += linearCount(width / heads, 8) + heads;
    }
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
    result.feedForward = linearCount(width, inner, encoder.feedForwardBias) +
                         linearCount(inner, width, encoder.feedForwardBias);
    result.norms = 2 * 2 * width;
    if (const Count adapter = encoder.adapters)
        result.adapters = linearCount(width, adapter) + linearCount(adapter, width) + 2 * width;
    if (const auto& branch = encoder.branch) {
        const Count units = branch->units;
        result.feedForward = inner == 0 ? 0 : 2 * result.feedForward;
        result.norms = (inner == 0 ? 3 : 5) * 2 * width + units; // the gate's own of half the units
        result.convolution = linearCount(width, units) + units / 2 * (branch->kernel + 1) + linearCount(units / 2, width) +
                             (branch->mergeKernel == 0 ? 0 : 2 * width * (branch->mergeKernel + 1)) +
                             linearCount(2 * width, width);
    }
    if (encoder.convolution) {
        const auto& convolution = *encoder.convolution;
        result.feedForward *= 2;
        result.norms = 5 * 2 * width;
        result.convolution = linearCount(width, 2 * width, convolution.bias) + width * convolution.kernel +
                             (convolution.depthwiseBias ? width : 0) + 2 * width +
                             linearCount(width, width, convolution.bias);
    }
    return result;
}

Count adapterParameters(const Architecture& architecture) {
    const Count width = architecture.encoder.width, inner = architecture.encoder.feedForward;
    Count count = 0;
    if (architecture.intermediateFeedForward)
        count += linearCount(width, inner, architecture.encoder.feedForwardBias) +
                 linearCount(inner, width, architecture.encoder.feedForwardBias);
    if (const auto& adapter = architecture.lengthAdapter) {
        const Count own = adapter->width, norm = 2 * own;
        if (own != width)
            count += linearCount(width, own) + norm;
        const Count convolution = linearCount(own * adapter->kernel, 2 * own);
        const Count attention = 4 * linearCount(own, own);
        const Count feedForward =
            linearCount(own, adapter->feedForward) + linearCount(adapter->feedForward, own);
        count += adapter->layers * (3 * norm + 2 * convolution + attention + feedForward);
    }
    return count;
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
