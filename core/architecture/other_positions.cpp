// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/other_positions.h"

#include "core/architecture/layer_rules.h"

#include <numeric>

namespace headroom {

namespace {

template <class Choice> std::string positionsText(Choice positions) {
    const std::string word = wordOf(positions);
    return (word == "none" ? "no" : word) + " positions";
}

} // namespace

Architecture withPositions(Architecture architecture, Positions positions) {
    Architecture::Encoder& encoder = architecture.encoder;
    if (encoder.positions == positions)
        return architecture;
    encoder.positions = positions;
    encoder.positionalConvolution.reset();
    encoder.relativeKey.reset();
    if (positions == Positions::Convolutional) {
        encoder.positionalConvolution.emplace();
        encoder.positionalConvolution->groups = std::gcd(encoder.positionalConvolution->groups, encoder.width);
    }
    if (positions == Positions::RelativeKey)
        encoder.relativeKey.emplace();
    return architecture;
}

std::string whyNotPositions(const Architecture& architecture, Positions positions) {
    const Architecture::Encoder& encoder = architecture.encoder;
    const bool readsText = architecture.frontEnd.kind == FrontEndKind::Text;
    if (architecture.languageModel)
        return architecture.languageModel->kind == LanguageModelKind::Lstm ? "An LSTM has no positions."
                                                                           : "A language model has sinusoidal positions in this version.";
    if (encoder.positions == positions)
        return {};
    if (architecture.frontEnd.kind == FrontEndKind::Patches)
        return "Patches of time and frequency need learnt positions.";
    if (positions == Positions::Learnt)
        return "Learnt positions belong to patches of time and frequency.";
    if (readsText && positions == Positions::Convolutional)
        return "An encoder that reads text has no positional convolution in this version.";
    if (positions == Positions::Stored) {
        const bool hasTable = readsText ? architecture.decoder && architecture.decoder->positions == TextPositions::Learnt
                                        : architecture.frontEnd.input().window().has_value();
        if (!hasTable)
            return "Stored positions belong to an input with a fixed window.";
    }
    if (positions == Positions::Interleaved && encoder.width % 2 != 0)
        return "Interleaved positions are pairs of sine and cosine, and the width " + std::to_string(encoder.width) + " is odd.";
    const LayerSurroundings around = surroundingsOf(withPositions(architecture, positions));
    for (int layer = 1; layer <= static_cast<int>(encoder.layers.size()); ++layer)
        if (const auto mistake = layerMistake(encoder.layers, layer, around))
            return "Layer " + std::to_string(layer) + ": " + mistake->reason + ".";
    return {};
}

std::string noteOnPositions(const Architecture& model, const Architecture& architecture, bool encoderOnly) {
    const auto note = [](const char* part, const auto& theirs, const auto& ours) {
        return theirs.positions == ours.positions
                   ? std::string()
                   : std::string("The ") + part + " of the start model was trained with " + positionsText(theirs.positions) +
                         ", but this architecture has " + positionsText(ours.positions) + ". Its weights fit, but they must adapt.";
    };
    const std::string encoder = note("encoder", model.encoder, architecture.encoder);
    if (!encoder.empty() || encoderOnly || !model.decoder || !architecture.decoder)
        return encoder;
    return note("decoder", *model.decoder, *architecture.decoder);
}

} // namespace headroom
