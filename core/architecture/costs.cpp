// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/costs.h"

#include "core/architecture/cost_shapes.h"

#include <algorithm>

namespace headroom {

namespace {

/// Adds to a part; parts of nothing do not appear.
void add(std::vector<PartCost>& parts, const char* name, Count count) {
    if (count == 0)
        return;
    for (auto& part : parts)
        if (part.part == name) {
            part.count += count;
            return;
        }
    parts.push_back({name, count});
}

Count feedForwardCount(Count width, Count inner) {
    return linearCount(width, inner) + linearCount(inner, width);
}

void countEncoder(const Architecture& architecture, Costs& costs) {
    const auto& encoder = architecture.encoder;
    for (const auto& convolution : frontConvolutions(architecture))
        costs.frontEndParameters += convolution.parameters();
    costs.frontEndParameters += projectionParameters(architecture) + architecture.frontEnd.classTokens * Count(encoder.width) +
                                architecture.frontEnd.vocabulary * Count(encoder.width);
    LayerParameters all;
    for (std::size_t i = 0; i < encoder.layers.size(); ++i) {
        const auto layer = layerParameters(encoder, i);
        all.attention += layer.attention;
        all.feedForward += layer.feedForward;
        all.convolution += layer.convolution;
        all.norms += layer.norms;
        all.adapters += layer.adapters;
    }
    if (encoder.normsOutput())
        all.norms += 2 * Count(encoder.width);
    const Count positions = positionParameters(architecture);
    costs.encoderParameters = costs.frontEndParameters + positions + all.all();
    add(costs.parts, "front end", costs.frontEndParameters);
    add(costs.parts, "positions", positions);
    add(costs.parts, "attention", all.attention);
    add(costs.parts, "feed-forward", all.feedForward);
    add(costs.parts, "adapters", all.adapters);
    add(costs.parts, "convolutions", all.convolution);
    add(costs.parts, "norms", all.norms);
}

void countDecoder(const Architecture& architecture, Costs& costs) {
    const auto& decoder = *architecture.decoder;
    const Count width = decoder.width, memory = architecture.encoder.width;
    const Count self = 4 * linearCount(width, width) - (decoder.keyBias ? 0 : width);
    const Count cross = 2 * linearCount(width, width) + 2 * linearCount(memory, width) - (decoder.keyBias ? 0 : width);
    const Count layer = self + cross + feedForwardCount(width, decoder.feedForward) + 6 * width;
    add(costs.parts, "decoder", decoder.layers * layer + (decoder.norm == NormPlace::Pre ? 2 * width : 0) +
                                    decoder.places * width);
    add(costs.parts, "embedding and output",
        (decoder.tiedEmbeddings ? 1 : 2) * Count(architecture.vocabulary) * width);
}

void countLanguageModel(const Architecture& architecture, Costs& costs) {
    const auto& model = *architecture.languageModel;
    const Count width = model.width;
    if (model.kind == LanguageModelKind::Lstm) // two biases for each of four gates
        add(costs.parts, "LSTM layers", model.layers * 4 * (2 * width * width + 2 * width));
    else {
        add(costs.parts, "attention", model.layers * 4 * linearCount(width, width));
        add(costs.parts, "feed-forward", model.layers * feedForwardCount(width, model.feedForward));
        add(costs.parts, "norms", model.layers * 4 * width + (model.norm == NormPlace::Pre ? 2 * width : 0));
    }
    add(costs.parts, "embedding and output",
        (model.tiedEmbeddings ? 1 : 2) * Count(architecture.vocabulary) * width);
}

} // namespace

Costs parameterCosts(const Architecture& architecture) {
    Costs costs;
    if (architecture.languageModel)
        countLanguageModel(architecture, costs);
    else {
        checkCountable(architecture);
        countEncoder(architecture, costs);
        if (architecture.decoder)
            countDecoder(architecture, costs);
        add(costs.parts, "length adapter", adapterParameters(architecture));
        if (architecture.ctc)
            add(costs.parts, "CTC output", linearCount(architecture.outputWidth(), *architecture.ctc));
    }
    for (const auto& part : costs.parts) {
        costs.parameters += part.count;
        if (architecture.languageModel || part.part == "decoder" || part.part == "embedding and output")
            costs.decoderParameters += part.count;
    }
    costs.comparableParameters =
        costs.parameters - (architecture.publishedWithoutFrontEnd ? costs.frontEndParameters : 0);
    return costs;
}

} // namespace headroom
