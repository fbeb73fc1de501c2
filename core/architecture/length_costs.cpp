// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/cost_shapes.h"
#include "core/architecture/costs.h"

#include <stdexcept>

namespace headroom {

namespace {

struct LayerMacs {
    Count projections = 0, attention = 0, convolution = 0, feedForward = 0, adapters = 0;
};

Count mapBytes(const std::vector<HeadGroup>& heads, Count tokens) {
    Count numbers = 0;
    for (const auto& group : heads)
        numbers += group.count * groupKeys(group, tokens).stored;
    return numbers * Count(sizeof(float));
}

/// A reusing layer: V of twice the width, the kept map, W_O of twice the width.
void countReuse(const Architecture::Encoder& encoder, std::size_t layer, Count tokens, LayerMacs& macs) {
    const Count width = encoder.width, channels = width / encoder.layers[layer].headCount();
    macs.projections = 2 * tokens * width * 2 * width;
    for (const auto& group : mapsOf(encoder, layer).heads)
        macs.attention += group.count * groupKeys(group, tokens).visible * 2 * channels;
}

void countGroup(const HeadGroup& group, const Architecture::Encoder& encoder, Count channels, Count tokens,
                LayerMacs& macs) {
    const Count width = encoder.width;
    const auto keys = groupKeys(group, tokens);
    const Count heads = group.count;
    macs.attention += heads * 2 * keys.visible * channels; // scores, then values
    if (const auto& key = encoder.relativeKey) // each query's score of each distance, of which far ones share the last; in a band each pair's
        macs.attention += heads * channels * (keys.band ? keys.visible : tokens * (key->left + key->right + 1));
    if (isRelative(encoder.positions)) {
        macs.attention += heads * keys.visible * channels;           // each pair's offset, too
        macs.projections += keys.offsets * width * heads * channels; // linear_pos
    }
    Count sources = tokens; // tokens of which keys and values are projected
    if (group.kind == HeadKind::Conv) {
        if (group.convForm == ConvForm::Speechformer) {
            sources = keys.keys;
            macs.convolution += keys.keys * 2 * width * width * group.convKernel;
        } else if (group.convForm == ConvForm::Normal)
            macs.convolution += 2 * heads * keys.keys * channels * channels * group.convKernel;
        else
            macs.convolution += 2 * heads * keys.keys * channels *
                                (group.convKernel + (group.convForm == ConvForm::Separable ? channels : 0));
    }
    macs.projections += 2 * sources * width * heads * channels;
}

LayerMacs layerMacs(const Architecture::Encoder& encoder, std::size_t index, Count tokens) {
    const auto& layer = encoder.layers[index];
    const Count width = encoder.width;
    LayerMacs macs;
    if (reusesMap(layer))
        countReuse(encoder, index, tokens, macs);
    else {
        macs.projections = 2 * tokens * width * width; // queries and W_O
        for (const auto& group : layer.heads)
            countGroup(group, encoder, width / layer.headCount(), tokens, macs);
    }
    macs.feedForward = 2 * tokens * width * encoder.feedForward;
    macs.adapters = 2 * tokens * width * encoder.adapters;
    if (encoder.relativeBias && !reusesMap(layer))
        macs.projections += 8 * tokens * width; // the gates, from each head's share of the input
    if (const auto& branch = encoder.branch) {
        macs.feedForward *= 2;
        const Count units = branch->units;
        macs.convolution += tokens * (width * units + units / 2 * (branch->kernel + width) +
                                      2 * width * (branch->mergeKernel + width));
    }
    if (const auto& convolution = encoder.convolution) {
        macs.feedForward *= 2;
        macs.convolution += tokens * width * (3 * width + convolution->kernel);
    }
    return macs;
}

/// The front end's MACs; `length` becomes the number of tokens.
Count frontEndMacs(const Architecture& architecture, Count& length) {
    Count macs = 0;
    for (const auto& convolution : frontConvolutions(architecture)) {
        length = convolution.lengthOf(length);
        macs += length * convolution.featuresOut * convolution.weights();
    }
    length = tokensOf(architecture.frontEnd, length);
    return macs + length * projectionInputs(architecture) * architecture.encoder.width;
}

Count positionMacs(const Architecture::Encoder& encoder, Count tokens) {
    const auto& positional = encoder.positionalConvolution;
    if (!positional)
        return 0;
    const Count width = encoder.width;
    return positional->layers * tokens * width * (width / positional->groups) * positional->kernel;
}

struct PartSums {
    Count frontEnd = 0, positions = 0, projections = 0, attention = 0, feedForward = 0, adapters = 0,
          convolutions = 0, lstm = 0, output = 0;
};

void finish(const PartSums& sums, EncoderCosts& costs) {
    costs.attentionMacs = sums.attention;
    for (const auto& [name, count] : {PartCost{"front end", sums.frontEnd},
                                      {"positions", sums.positions},
                                      {"projections", sums.projections},
                                      {"attention", sums.attention},
                                      {"feed-forward", sums.feedForward},
                                      {"adapters", sums.adapters},
                                      {"convolutions", sums.convolutions},
                                      {"LSTM layers", sums.lstm},
                                      {"embedding and output", sums.output}})
        if (count > 0)
            costs.macParts.push_back({name, count});
    for (const auto& part : costs.macParts)
        costs.macs += part.count;
    for (const auto& layer : costs.layers) {
        costs.attentionMapBytes += layer.attentionMapBytes;
        costs.activationBytes += layer.activationBytes;
    }
}

EncoderCosts languageModelCosts(const Architecture& architecture, Count tokens) {
    const auto& model = *architecture.languageModel;
    const Count width = model.width;
    EncoderCosts costs;
    costs.frames = costs.tokens = tokens;
    PartSums sums;
    for (std::size_t number = 0; number < static_cast<std::size_t>(model.layers); ++number) {
        LayerCosts layer;
        layer.activationBytes = keptByLanguageModelLayer(model, number, tokens).all();
        if (model.kind == LanguageModelKind::Lstm) {
            layer.macs = tokens * 8 * width * width;
            sums.lstm += layer.macs;
        } else {
            const auto& heads = model.headsOf(number);
            for (const auto& group : heads)
                layer.attentionMacs +=
                    group.count * 2 * groupKeys(group, tokens).visible * (width / headCount(heads));
            layer.attentionMapBytes = mapBytes(heads, tokens);
            layer.macs =
                4 * tokens * width * width + layer.attentionMacs + 2 * tokens * width * model.feedForward;
            sums.projections += 4 * tokens * width * width;
            sums.attention += layer.attentionMacs;
            sums.feedForward += 2 * tokens * width * model.feedForward;
        }
        costs.layers.push_back(layer);
    }
    sums.output = tokens * width * Count(architecture.vocabulary);
    finish(sums, costs);
    return costs;
}

} // namespace

EncoderCosts encoderCosts(const Architecture& architecture, std::int64_t frames) {
    if (frames < 1)
        throw std::invalid_argument("an encoder reads at least one frame");
    if (architecture.languageModel)
        return languageModelCosts(architecture, frames);
    checkCountable(architecture);
    const auto& encoder = architecture.encoder;
    EncoderCosts costs;
    frames = architecture.frontEnd.input().window().value_or(frames); // always computed as a whole
    costs.frames = costs.tokens = frames;
    PartSums sums;
    sums.frontEnd = frontEndMacs(architecture, costs.tokens);
    sums.positions = positionMacs(encoder, costs.tokens);
    costs.activationBytes = keptByFrontEnd(architecture, frames).all();
    for (std::size_t i = 0; i < encoder.layers.size(); ++i) {
        const auto macs = layerMacs(encoder, i, costs.tokens);
        sums.projections += macs.projections;
        sums.attention += macs.attention;
        sums.feedForward += macs.feedForward;
        sums.adapters += macs.adapters;
        sums.convolutions += macs.convolution;
        LayerCosts layer;
        layer.macs = macs.projections + macs.attention + macs.feedForward + macs.convolution + macs.adapters;
        layer.attentionMacs = macs.attention;
        layer.attentionMapBytes =
            reusesMap(encoder.layers[i]) ? 0 : mapBytes(encoder.layers[i].heads, costs.tokens);
        layer.activationBytes = keptByLayer(encoder, i, costs.tokens).all();
        costs.layers.push_back(layer);
    }
    finish(sums, costs);
    return costs;
}

} // namespace headroom
