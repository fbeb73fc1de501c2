// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/architecture.h"
#include "core/architecture/shortest.h"

#include <nlohmann/json.hpp>

namespace headroom {

namespace {

std::string quoted(const std::string& text) {
    return nlohmann::json(text).dump();
}

std::string list(const std::vector<int>& numbers) {
    std::string text;
    for (const int number : numbers)
        text += (text.empty() ? "" : ", ") + std::to_string(number);
    return "[" + text + "]";
}

std::string frontEndText(const Architecture::FrontEnd& frontEnd) {
    return "{ \"kind\": " + quoted(frontEnd.kind) + ", \"features\": " + std::to_string(frontEnd.features) +
           ", \"channels\": " + std::to_string(frontEnd.channels) +
           ", \"kernels\": " + list(frontEnd.kernels) + ", \"strides\": " + list(frontEnd.strides) + " }";
}

/// Columns are lined up by hand: the text is meant to be read, and to differ by one line where one layer
/// differs.
std::string encoderText(const Architecture::Encoder& encoder) {
    std::string text =
        "{ \"kind\": " + quoted(encoder.kind) + ", \"width\": " + std::to_string(encoder.width) +
        ", \"feedForward\": " + std::to_string(encoder.feedForward) + ", \"norm\": " + quoted(encoder.norm) +
        ", \"positions\": " + quoted(encoder.positions) + ",\n";
    text += "                \"activation\": " + quoted(encoder.activation) +
            ", \"queryKeyValueBias\": " + (encoder.queryKeyValueBias ? "true" : "false") +
            ", \"dropout\": " + shortest(encoder.dropout) +
            ", \"attentionDropout\": " + shortest(encoder.attentionDropout) + ",\n";
    std::string layers;
    for (const auto& layer : encoder.layers)
        layers += (layers.empty() ? "[ " : ",\n                            ") +
                  ("{ \"heads\": " + quoted(toText(layer.heads))) + " }";
    return text + "                \"layers\": " + layers + " ] }";
}

std::string decoderText(const Architecture::Decoder& decoder) {
    return "{ \"layers\": " + std::to_string(decoder.layers) +
           ", \"width\": " + std::to_string(decoder.width) +
           ", \"feedForward\": " + std::to_string(decoder.feedForward) +
           ", \"selfAttention\": " + quoted(toText(decoder.selfAttention)) +
           ", \"crossAttention\": " + quoted(toText(decoder.crossAttention)) + " }";
}

} // namespace

std::string canonicalText(const Architecture& architecture) {
    std::string text = "{ \"format\": \"headroom/architecture\", \"version\": 1,\n";
    text +=
        "  \"name\": " + quoted(architecture.name) + ", \"source\": " + quoted(architecture.source) + ",\n";
    text += "  \"frontEnd\": " + frontEndText(architecture.frontEnd) + ",\n";
    text += "  \"encoder\":  " + encoderText(architecture.encoder) + ",\n";
    text += "  \"decoder\":  " + (architecture.decoder ? decoderText(*architecture.decoder) : "null") + ",\n";
    text += "  \"ctc\": " + (architecture.ctc ? std::to_string(*architecture.ctc) : "null") +
            ", \"vocabulary\": " + std::to_string(architecture.vocabulary);
    if (architecture.publishedParameters)
        text += ", \"parameters\": " + std::to_string(*architecture.publishedParameters);
    return text + " }\n";
}

} // namespace headroom
