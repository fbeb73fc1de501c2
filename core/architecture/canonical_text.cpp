// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/architecture.h"
#include "core/architecture/shortest.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>

namespace headroom {

namespace {

std::string jsonText(const std::string& text) {
    return nlohmann::json(text).dump();
}
template <class Choice> std::string jsonText(Choice choice) {
    return "\"" + wordOf(choice) + "\"";
}

std::string list(const std::vector<int>& numbers) {
    std::string text;
    for (const int number : numbers)
        text += (text.empty() ? "" : ", ") + std::to_string(number);
    return "[" + text + "]";
}

/// Keys that came with later architectures are written only where they say something, so that the text of an
/// older document stays as it is.
template <class Choice> std::string word(const char* key, Choice value, Choice usual) {
    return value == usual ? "" : std::string(", \"") + key + "\": " + jsonText(value);
}

std::string truth(const char* key, bool value, bool usual) {
    return value == usual ? "" : std::string(", \"") + key + "\": " + (value ? "true" : "false");
}

std::string waveformText(const Architecture::FrontEnd& frontEnd) {
    return "{ \"kind\": " + jsonText(frontEnd.kind) + ", \"channels\": " + list(frontEnd.planes) +
           ", \"kernels\": " + list(frontEnd.kernels) + ", \"strides\": " + list(frontEnd.strides) +
           word("activation", frontEnd.activation, FrontEndActivation::Gelu) +
           ", \"norm\": " + jsonText(frontEnd.norm) + truth("bias", frontEnd.bias, false) +
           truth("projectionNorm", frontEnd.projectionNorm, true) +
           truth("normalised", frontEnd.normalised, true) + " }";
}

template <class Number>
std::string number(const char* key, Number value, Number usual) {
    return value == usual ? "" : std::string(", \"") + key + "\": " + shortest(value);
}

/// Settings of the inputs that have any.
std::string inputText(const Architecture::FrontEnd& frontEnd) {
    const bool framed = frontEnd.reads == InputKind::EspnetLogMel; // sizes of its frames are settings
    const std::string frames = !framed ? ""
                                       : number<double>("transform", frontEnd.frames.transform, 512) +
                                             number<double>("window", frontEnd.frames.window, 400) +
                                             number<double>("hop", frontEnd.frames.hop, 160) +
                                             truth("normalised", frontEnd.normalised, true);
    if (frontEnd.cmvn) {
        const auto numbers = [&](const std::vector<double>& values) {
            const bool same = std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
            if (frontEnd.reads == InputKind::AstLogMel && same && !values.empty())
                return shortest(values.front());
            std::string text;
            for (const double value : values)
                text += (text.empty() ? "" : ", ") + shortest(value);
            return "[" + text + "]";
        };
        return frames + ", \"cmvn\": { \"mean\": " + numbers(frontEnd.cmvn->mean) +
               ", \"deviation\": " + numbers(frontEnd.cmvn->deviation) + " }";
    }
    if (framed)
        return frames;
    if (frontEnd.reads == InputKind::StackedKaldiLogMel)
        return number<double>("stacked", frontEnd.stacked, 2) +
               number<double>("paddingValue", frontEnd.paddingValue, 1);
    return frontEnd.reads == InputKind::NemoLogMel ? number("preEmphasis", frontEnd.preEmphasis, 0.97) : "";
}

/// What all front ends but waveforms begin with.
std::string featuresText(const Architecture::FrontEnd& frontEnd) {
    return "{ \"kind\": " + jsonText(frontEnd.kind) + word("input", frontEnd.reads, InputKind::KaldiLogMel) +
           ", \"features\": " + std::to_string(frontEnd.features);
}

std::string frontEndText(const Architecture::FrontEnd& frontEnd) {
    if (frontEnd.kind == FrontEndKind::Waveform)
        return waveformText(frontEnd);
    if (frontEnd.kind == FrontEndKind::Text)
        return "{ \"kind\": " + jsonText(frontEnd.kind) +
               (frontEnd.vocabulary == 0 ? "" : ", \"vocabulary\": " + std::to_string(frontEnd.vocabulary)) +
               truth("scaled", frontEnd.scaled, true) + " }";
    if (frontEnd.kind == FrontEndKind::Linear)
        return featuresText(frontEnd) + inputText(frontEnd) + " }";
    if (frontEnd.kind == FrontEndKind::Patches)
        return featuresText(frontEnd) + ", \"windowFrames\": " + std::to_string(frontEnd.windowFrames) +
               ", \"kernels\": " + list(frontEnd.kernels) + ", \"strides\": " + list(frontEnd.strides) +
               ", \"frequencyStride\": " + std::to_string(frontEnd.frequencyStride) +
               ", \"classTokens\": " + std::to_string(frontEnd.classTokens) + inputText(frontEnd) + " }";
    if (frontEnd.kind == FrontEndKind::Depthwise2d)
        return featuresText(frontEnd) + ", \"channels\": " + std::to_string(frontEnd.channels) +
               ", \"kernels\": " + list(frontEnd.kernels) + ", \"strides\": " + list(frontEnd.strides) +
               truth("scaled", frontEnd.scaled, true) + inputText(frontEnd) + " }";
    const bool flat = frontEnd.kind == FrontEndKind::Conv1d;
    return featuresText(frontEnd) +
           ", \"channels\": " + (flat ? std::to_string(frontEnd.channels) : list(frontEnd.planes)) +
           ", \"kernels\": " + list(frontEnd.kernels) + ", \"strides\": " + list(frontEnd.strides) +
           word("activation", frontEnd.activation,
                flat ? FrontEndActivation::Glu : FrontEndActivation::Relu) +
           word("norm", frontEnd.norm, FrontEndNorm::None) + truth("projection", frontEnd.projection, false) +
           truth("scaled", frontEnd.scaled, frontEnd.kind != FrontEndKind::Conv2d) +
           truth("padded", frontEnd.padded, true) + inputText(frontEnd) + " }";
}

/// What not every encoder has, on a line of its own.
std::string partsText(const Architecture::Encoder& encoder) {
    std::string text;
    if (const auto& positional = encoder.positionalConvolution)
        text += ", \"positionalConvolution\": { \"kernel\": " + std::to_string(positional->kernel) +
                ", \"groups\": " + std::to_string(positional->groups) +
                (positional->layers == 1 ? "" : ", \"layers\": " + std::to_string(positional->layers)) +
                truth("weightNorm", positional->weightNorm, true) +
                word("norm", positional->norm, PositionalNorm::None) +
                word("activation", positional->activation, Activation::Gelu) + " }";
    if (const auto& bias = encoder.relativeBias)
        text += ", \"relativeBias\": { \"buckets\": " + std::to_string(bias->buckets) +
                ", \"maxDistance\": " + std::to_string(bias->maxDistance) + " }";
    if (const auto& key = encoder.relativeKey)
        text += ", \"relativeKey\": { \"left\": " + std::to_string(key->left) +
                ", \"right\": " + std::to_string(key->right) + " }";
    text += truth("outputBias", encoder.outputBias, true);
    text += truth("feedForwardBias", encoder.feedForwardBias, true);
    text += truth("keyBias", encoder.keyBias, true);
    text += truth("inputNorm", encoder.inputNorm, false);
    text += truth("outputNorm", encoder.outputNorm, false);
    if (encoder.normEpsilon != 1e-5)
        text += ", \"normEpsilon\": " + shortest(encoder.normEpsilon);
    if (encoder.adapters != 0)
        text += ", \"adapters\": " + std::to_string(encoder.adapters);
    return text.empty() ? "" : "                " + text.substr(2) + ",\n";
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
            ", \"attentionDropout\": " + shortest(encoder.attentionDropout) +
            (encoder.activationDropout ? ", \"activationDropout\": " + shortest(*encoder.activationDropout) : "") + ",\n";
    if (const auto& convolution = encoder.convolution)
        text += "                \"convolution\": { \"kernel\": " + std::to_string(convolution->kernel) +
                ", \"norm\": " + jsonText(convolution->norm) + truth("bias", convolution->bias, true) +
                truth("depthwiseBias", convolution->depthwiseBias, false) +
                truth("causal", convolution->causal, false) +
                word("activation", convolution->activation, Activation::Swish) + " },\n";
    if (const auto& branch = encoder.branch)
        text += "                \"branch\": { \"units\": " + std::to_string(branch->units) +
                ", \"kernel\": " + std::to_string(branch->kernel) +
                (branch->mergeKernel == 0 ? "" : ", \"mergeKernel\": " + std::to_string(branch->mergeKernel)) + " },\n";
    text += partsText(encoder);
    std::string layers;
    for (const auto& layer : encoder.layers)
        layers += (layers.empty() ? "[ " : ",\n                            ") +
                  ("{ \"heads\": " + jsonText(toText(layer.heads))) + " }";
    return text + "                \"layers\": " + layers + " ] }";
}

std::string lengthAdapterText(const Architecture::LengthAdapter& adapter) {
    return "{ \"layers\": " + std::to_string(adapter.layers) +
           ", \"kernel\": " + std::to_string(adapter.kernel) +
           ", \"stride\": " + std::to_string(adapter.stride) +
           ", \"width\": " + std::to_string(adapter.width) + ", \"heads\": " + std::to_string(adapter.heads) +
           ", \"feedForward\": " + std::to_string(adapter.feedForward) +
           word("activation", adapter.activation, Activation::Relu) + " }";
}

std::string decoderText(const Architecture::Decoder& decoder) {
    return "{ \"layers\": " + std::to_string(decoder.layers) +
           ", \"width\": " + std::to_string(decoder.width) +
           ", \"feedForward\": " + std::to_string(decoder.feedForward) +
           ", \"selfAttention\": " + jsonText(toText(decoder.selfAttention)) +
           ", \"crossAttention\": " + jsonText(toText(decoder.crossAttention)) +
           word("norm", decoder.norm, NormPlace::Pre) +
           word("activation", decoder.activation, Activation::Relu) +
           truth("tiedEmbeddings", decoder.tiedEmbeddings, false) +
           word("positions", decoder.positions, TextPositions::Sinusoidal) +
           (decoder.places == 0 ? "" : ", \"places\": " + std::to_string(decoder.places)) +
           truth("scaledEmbeddings", decoder.scaledEmbeddings, true) +
           truth("keyBias", decoder.keyBias, true) + " }";
}

std::string languageModelText(const Architecture::LanguageModel& model) {
    std::string text = "{ \"kind\": " + jsonText(model.kind) + ", \"layers\": " + std::to_string(model.layers) +
                       ", \"width\": " + std::to_string(model.width);
    std::string heads = model.ownHeads.empty() ? jsonText(toText(model.selfAttention)) : std::string();
    for (const auto& layer : model.ownHeads)
        heads += (heads.empty() ? "[" : ", ") + jsonText(toText(layer.heads));
    if (!model.ownHeads.empty())
        heads += "]";
    if (model.kind == LanguageModelKind::Transformer)
        text += ", \"feedForward\": " + std::to_string(model.feedForward) + ", \"selfAttention\": " + heads +
                word("norm", model.norm, NormPlace::Pre) +
                word("activation", model.activation, Activation::Relu);
    text += ", \"dropout\": " + shortest(model.dropout);
    if (model.kind == LanguageModelKind::Transformer)
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
        if (architecture.intermediateFeedForward)
            text += "  \"intermediateFeedForward\": true,\n";
        if (architecture.lengthAdapter)
            text += "  \"lengthAdapter\": " + lengthAdapterText(*architecture.lengthAdapter) + ",\n";
        text +=
            "  \"decoder\":  " + (architecture.decoder ? decoderText(*architecture.decoder) : "null") + ",\n";
        text += "  \"ctc\": " + (architecture.ctc ? std::to_string(*architecture.ctc) : "null") + ", ";
        if (architecture.ctcBlank != 0)
            text += "\"ctcBlank\": " + std::to_string(architecture.ctcBlank) + ", ";
    }
    text += "\"vocabulary\": " + std::to_string(architecture.vocabulary);
    if (architecture.publishedParameters) {
        text += ", \"parameters\": " + std::to_string(*architecture.publishedParameters);
        if (architecture.publishedWithoutFrontEnd)
            text += ", \"parametersWithout\": \"frontEnd\"";
    }
    return text + " }\n";
}

} // namespace headroom
