// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/architecture.h"
#include "core/architecture/shortest.h"

#include <nlohmann/json.hpp>

namespace headroom {

namespace {

std::string jsonText(const std::string& text) {
    return nlohmann::json(text).dump();
}

std::string list(const std::vector<int>& numbers) {
    std::string text;
    for (const int number : numbers)
        text += (text.empty() ? "" : ", ") + std::to_string(number);
    return "[" + text + "]";
}

/// Keys that came with later architectures are written only where they say something, so that the text of an
/// older document stays as it is.
std::string word(const char* key, const std::string& value, const std::string& usual) {
    return value == usual ? "" : std::string(", \"") + key + "\": " + jsonText(value);
}

std::string truth(const char* key, bool value, bool usual) {
    return value == usual ? "" : std::string(", \"") + key + "\": " + (value ? "true" : "false");
}

std::string frontEndText(const Architecture::FrontEnd& frontEnd) {
    const bool flat = frontEnd.kind == "conv1d";
    return "{ \"kind\": " + jsonText(frontEnd.kind) + ", \"features\": " + std::to_string(frontEnd.features) +
           ", \"channels\": " + (flat ? std::to_string(frontEnd.channels) : list(frontEnd.planes)) +
           ", \"kernels\": " + list(frontEnd.kernels) + ", \"strides\": " + list(frontEnd.strides) +
           word("activation", frontEnd.activation, flat ? "glu" : "relu") +
           word("norm", frontEnd.norm, "none") + truth("projection", frontEnd.projection, false) + " }";
}

/// Columns are lined up by hand: the text is meant to be read, and to differ by one line where one layer
/// differs.
std::string encoderText(const Architecture::Encoder& encoder) {
    std::string text =
        "{ \"kind\": " + jsonText(encoder.kind) + ", \"width\": " + std::to_string(encoder.width) +
        ", \"feedForward\": " + std::to_string(encoder.feedForward) + ", \"norm\": " + jsonText(encoder.norm) +
        ", \"positions\": " + jsonText(encoder.positions) + ",\n";
    text += "                \"activation\": " + jsonText(encoder.activation) +
            ", \"queryKeyValueBias\": " + (encoder.queryKeyValueBias ? "true" : "false") +
            ", \"dropout\": " + shortest(encoder.dropout) +
            ", \"attentionDropout\": " + shortest(encoder.attentionDropout) + ",\n";
    if (const auto& convolution = encoder.convolution)
        text += "                \"convolution\": { \"kernel\": " + std::to_string(convolution->kernel) +
                ", \"norm\": " + jsonText(convolution->norm) + truth("bias", convolution->bias, true) + " },\n";
    std::string layers;
    for (const auto& layer : encoder.layers)
        layers += (layers.empty() ? "[ " : ",\n                            ") +
                  ("{ \"heads\": " + jsonText(toText(layer.heads))) + " }";
    return text + "                \"layers\": " + layers + " ] }";
}

std::string decoderText(const Architecture::Decoder& decoder) {
    return "{ \"layers\": " + std::to_string(decoder.layers) +
           ", \"width\": " + std::to_string(decoder.width) +
           ", \"feedForward\": " + std::to_string(decoder.feedForward) +
           ", \"selfAttention\": " + jsonText(toText(decoder.selfAttention)) +
           ", \"crossAttention\": " + jsonText(toText(decoder.crossAttention)) +
           word("norm", decoder.norm, "pre") + word("activation", decoder.activation, "relu") +
           truth("tiedEmbeddings", decoder.tiedEmbeddings, false) + " }";
}

std::string languageModelText(const Architecture::LanguageModel& model) {
    std::string text = "{ \"kind\": " + jsonText(model.kind) + ", \"layers\": " + std::to_string(model.layers) +
                       ", \"width\": " + std::to_string(model.width);
    if (model.kind == "transformer")
        text += ", \"feedForward\": " + std::to_string(model.feedForward) +
                ", \"selfAttention\": " + jsonText(toText(model.selfAttention)) +
                word("norm", model.norm, "pre") + word("activation", model.activation, "relu");
    text += ", \"dropout\": " + shortest(model.dropout);
    if (model.kind == "transformer")
        text += ", \"attentionDropout\": " + shortest(model.attentionDropout);
    return text + truth("tiedEmbeddings", model.tiedEmbeddings, false) + " }";
}

} // namespace

std::string canonicalText(const Architecture& architecture) {
    std::string text = "{ \"format\": \"headroom/architecture\", \"version\": 1,\n";
    text +=
        "  \"name\": " + jsonText(architecture.name) + ", \"source\": " + jsonText(architecture.source) + ",\n";
    if (architecture.languageModel)
        text += "  \"languageModel\": " + languageModelText(*architecture.languageModel) + ",\n  ";
    else {
        text += "  \"frontEnd\": " + frontEndText(architecture.frontEnd) + ",\n";
        text += "  \"encoder\":  " + encoderText(architecture.encoder) + ",\n";
        text +=
            "  \"decoder\":  " + (architecture.decoder ? decoderText(*architecture.decoder) : "null") + ",\n";
        text += "  \"ctc\": " + (architecture.ctc ? std::to_string(*architecture.ctc) : "null") + ", ";
    }
    text += "\"vocabulary\": " + std::to_string(architecture.vocabulary);
    if (architecture.publishedParameters)
        text += ", \"parameters\": " + std::to_string(*architecture.publishedParameters);
    if (architecture.publishedWithoutFrontEnd)
        text += ", \"parametersWithout\": \"frontEnd\"";
    return text + " }\n";
}

} // namespace headroom
