// SPDX-License-Identifier: GPL-3.0-or-later
// What autograd keeps of each operation of models/: the table is in README.md, “Memory of a training step”.
#include "core/architecture/cost_shapes.h"

#include <algorithm>

namespace headroom {

namespace {

/// fc1, activation, dropout, fc2, dropout, residual, with the LayerNorm before or behind.
/// Dropout draws its mask again on the way back and keeps none.
Count feedForwardFloats(Count width, Count inner, Activation activation) {
    // The result of ReLU is kept, of the others what came in too.
    const Count inside = activation == Activation::Relu ? 1 : 2;
    return inside * inner + width + width; // norm, result
}

/// The numbers kept for each number of a map that is made from scores.
Count mapFloats(const HeadGroup& group, bool dropout) {
    const bool second = group.relaxed || group.smoothed; // another tensor follows the one that is kept
    return dropout || second ? 2 : 1;
}

Kept keptByGroup(const HeadGroup& group, Positions positions, bool mixedLayer, Count width, Count channels,
                 Count tokens, bool dropout, bool fused) {
    const auto keys = groupKeys(group, tokens);
    const Count rows = group.count * channels;
    Kept kept;
    if (fused) // the normaliser of each row; its result, where that is not what W_O reads
        kept.floats = group.count * tokens + (group.relaxed || mixedLayer ? tokens * rows : 0);
    else
        kept.floats = group.count * keys.stored * mapFloats(group, dropout);
    if (group.suppressed)
        kept.bytes = group.count * keys.stored; // which weights were cut
    if (group.smoothed && keys.band) {          // before and after the slots without a key were emptied
        kept.floats += group.count * keys.stored;
        kept.bytes += group.count * keys.stored;
    }
    kept.floats += tokens * rows; // queries
    if (group.kind != HeadKind::Conv)
        kept.floats += 2 * tokens * rows;
    else if (group.convForm == ConvForm::Speechformer)
        // Its input, both halves of GLU and what comes of them; keys and values.
        kept.floats += tokens * width + keys.keys * 3 * width + 2 * keys.keys * rows;
    else {
        // What the convolution reads, tap beside tap where it is dense; and what it makes.
        const Count read = group.convForm == ConvForm::Normal ? keys.keys * group.convKernel : keys.padded;
        const Count between = group.convForm == ConvForm::Separable ? keys.keys : 0;
        kept.floats += 2 * rows * (read + between + keys.keys + (mixedLayer ? tokens : 0));
    }
    if (isRelative(positions)) // q + u beside q + v, and p
        kept.floats += tokens * rows + keys.offsets * rows;
    if (positions == Positions::RelativeLegacy) // the next query + v
        kept.floats += tokens * rows;
    return kept;
}

/// What the scores of learnt distances keep: each query's of every distance and the places of a map that they go to; in a
/// band the vectors of its slots. The queries once more, as the product reads them.
Kept keptByDistances(const HeadGroup& group, const Architecture::RelativeKey& key, Count channels, Count tokens) {
    const auto keys = groupKeys(group, tokens);
    Kept kept;
    kept.floats = tokens * group.count * channels;
    if (keys.band)
        kept.floats += keys.offsets * channels;
    else {
        kept.floats += group.count * tokens * (key.left + key.right + 1);
        kept.bytes = tokens * tokens * Count(sizeof(std::int64_t)); // of all heads
    }
    return kept;
}

} // namespace

Kept keptByLayer(const Architecture::Encoder& encoder, std::size_t index, Count tokens) {
    const auto& layer = encoder.layers[index];
    const Count width = encoder.width, channels = width / layer.headCount();
    const bool dropout = encoder.attentionDropout > 0;
    Kept kept;
    kept.floats = tokens * width * 3; // norm, joined heads, result
    if (reusesMap(layer)) {
        kept.floats += tokens * width * 3; // values of twice the width; joined heads too
        for (const auto& group : mapsOf(encoder, index).heads) {
            const Count numbers = group.count * groupKeys(group, tokens).stored;
            kept.floats += numbers * (dropout || layer.heads.front().relaxed ? 1 : 0);
        }
    } else
        for (const auto& group : layer.heads) {
            const auto one = keptByGroup(group, encoder.positions,
                                         layer.heads.size() > 1,
                                         width, channels, tokens, dropout,
                                         fusesMap(encoder, index, group, tokens, dropout));
            kept.floats += one.floats;
            kept.bytes += one.bytes;
            if (const auto& key = encoder.relativeKey) {
                const auto distances = keptByDistances(group, *key, channels, tokens);
                kept.floats += distances.floats;
                kept.bytes += distances.bytes;
            }
        }
    const bool without = encoder.feedForward == 0;
    const Count feedForward =
        without ? 0 : tokens * feedForwardFloats(width, encoder.feedForward, encoder.activation);
    kept.floats += feedForward;
    if (const auto& branch = encoder.branch) // the other feed-forward; norm, GELU and its input, the gate's norm,
                                             // its convolution, the product; both branches, and what is merged
        kept.floats += feedForward + tokens * (width * (branch->mergeKernel == 0 ? 4 : 8) + 4 * branch->units);
    if (const Count adapter = encoder.adapters) // norm, hidden, ReLU's result
        kept.floats += tokens * (width + 2 * adapter);
    if (encoder.convolution) // the other feed-forward; norm, 2d, GLU, convolution, norm, swish, result
        kept.floats += feedForward + tokens * width * 9;
    return kept;
}

Kept keptByFrontEnd(const Architecture& architecture, Count frames) {
    const auto& front = architecture.frontEnd;
    const bool glu = front.activation == FrontEndActivation::Glu;
    Kept kept;
    kept.floats = frames * front.features;
    Count length = frames;
    for (const auto& convolution : frontConvolutions(architecture)) {
        length = convolution.lengthOf(length);
        const Count out = length * convolution.featuresOut * convolution.out;
        // The result of ReLU is kept, of GELU and swish what came in too.
        const bool smooth = !glu && front.activation != FrontEndActivation::Relu;
        if (front.kind == FrontEndKind::Patches) // neither norm nor activation
            continue;
        kept.floats += out * ((convolution.norm ? 2 : 1) + (smooth ? 1 : 0)) + (glu ? out / 2 : 0);
    }
    const Count width = architecture.encoder.width;
    if (const Count inputs = projectionInputs(architecture))
        kept.floats += length * inputs *
                       (front.kind == FrontEndKind::Linear ||
                                (front.kind == FrontEndKind::Waveform && front.projectionNorm)
                            ? 2
                            : 1);
    length = tokensOf(front, length);
    kept.floats += length * width;
    const auto& encoder = architecture.encoder;
    if (const auto& positional = encoder.positionalConvolution) // what goes in, what comes out, GELU
        kept.floats += positional->layers * length * width * (positional->norm == PositionalNorm::None ? 2 : 3);
    if (encoder.inputNorm)
        kept.floats += length * width;
    if (encoder.relativeBias) // one map for all layers, which their gates multiply
        kept.floats += length * length * encoder.layers.front().headCount();
    return kept;
}

Kept keptByLanguageModelLayer(const Architecture::LanguageModel& model, std::size_t layer, Count tokens) {
    Kept kept;
    if (model.kind == LanguageModelKind::Lstm) // input, four gates, cell and its tanh
        kept.floats = tokens * model.width * 7;
    else {
        Count maps = 0;
        for (const auto& group : model.headsOf(layer))
            maps += fusesMap(group, tokens, model.attentionDropout > 0)
                        ? group.count * tokens
                        : group.count * groupKeys(group, tokens).stored *
                              mapFloats(group, model.attentionDropout > 0);
        kept.floats = maps + tokens * (model.width * 6 +
                                       feedForwardFloats(model.width, model.feedForward, model.activation));
    }
    return kept;
}

} // namespace headroom
