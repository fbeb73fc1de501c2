// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"

#include <string>
#include <vector>

namespace headroom::testing {

/// Sizes of a small model; everything else is the family's.
struct SmallSizes {
    int channels = 24; ///< of the front end
    int width = 32, feedForward = 40, decoderLayers = 2;
    int pieces = 50; ///< of the output
};

/// A pre-norm S2T Transformer; one layer for each text of `heads` ("4 full").
inline Architecture smallTransformer(const std::vector<std::string>& heads, const SmallSizes& sizes = {}) {
    Architecture result;
    result.name = "tiny";
    result.frontEnd.channels = sizes.channels;
    result.encoder.width = sizes.width;
    result.encoder.feedForward = sizes.feedForward;
    for (const std::string& text : heads)
        result.encoder.layers.push_back({parseHeads(text)});
    result.decoder.emplace();
    result.decoder->layers = sizes.decoderLayers;
    result.decoder->width = sizes.width;
    result.decoder->feedForward = sizes.feedForward;
    result.decoder->selfAttention = parseHeads("4 masked");
    result.decoder->crossAttention = parseHeads("4 full");
    result.vocabulary = sizes.pieces;
    return result;
}

/// A language model of 40 pieces.
inline Architecture smallLanguageModel(LanguageModelKind kind, int layers) {
    Architecture result;
    result.name = "tiny";
    result.vocabulary = 40;
    Architecture::LanguageModel& model = result.languageModel.emplace();
    model.kind = kind;
    model.layers = layers;
    model.width = 16;
    model.feedForward = 24;
    model.selfAttention = parseHeads("2 masked");
    return result;
}

/// Sant et al. 2022: no bias in queries, keys and values.
inline Architecture smallMultiformer(const std::vector<std::string>& heads, const SmallSizes& sizes = {}) {
    Architecture result = smallTransformer(heads, sizes);
    result.encoder.queryKeyValueBias = false;
    return result;
}

/// Shim et al. 2022: a Conformer with CTC alone.
inline Architecture smallConformer(const std::vector<std::string>& heads, const SmallSizes& sizes = {}) {
    Architecture result = smallTransformer(heads, sizes);
    result.decoder.reset();
    result.vocabulary = 0;
    result.ctc = sizes.pieces;
    result.frontEnd.kernels = {3, 3};
    result.frontEnd.activation = FrontEndActivation::Relu;
    result.frontEnd.norm = FrontEndNorm::Batch;
    result.encoder.kind = EncoderKind::Conformer;
    result.encoder.positions = Positions::Relative;
    result.encoder.activation = Activation::Swish;
    result.encoder.convolution = Architecture::Convolution{7, ConvolutionNorm::Batch, true};
    return result;
}

/// Lohrenz et al. 2022 with Espresso's front end: two layers with these heads, and convolutions over planes.
inline Architecture smallRelaxed(const std::string& self, const std::string& cross, const std::vector<int>& planes,
                                 const SmallSizes& sizes = {}) {
    Architecture result = smallTransformer({self, self}, sizes);
    result.frontEnd.kind = FrontEndKind::Conv2d;
    result.frontEnd.scaled = false;
    result.frontEnd.planes = planes;
    result.frontEnd.kernels.assign(planes.size(), 3);
    result.frontEnd.activation = FrontEndActivation::Relu;
    result.frontEnd.norm = FrontEndNorm::Batch;
    result.decoder->crossAttention = parseHeads(cross);
    return result;
}

} // namespace headroom::testing
