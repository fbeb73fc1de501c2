// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/architecture.h"

#include "core/architecture/document_parts.h"
#include "core/architecture/layer_rules.h"
#include "core/architecture/nearest.h"
#include "core/errors/count_text.h"
#include "core/errors/unread_file.h"
#include "core/features/mel_filters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <sstream>

namespace headroom {

namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 15> kDocumentKeys{"format",
                                                         "version",
                                                         "name",
                                                         "source",
                                                         "frontEnd",
                                                         "encoder",
                                                         "decoder",
                                                         "intermediateFeedForward",
                                                         "lengthAdapter",
                                                         "languageModel",
                                                         "ctc",
                                                         "ctcBlank",
                                                         "vocabulary",
                                                         "parameters",
                                                         "parametersWithout"};
constexpr std::array<std::string_view, 1> kWithout{"frontEnd"};

/// Said before the first key that an architecture does not have: “another document” is the mistake.
void refuseOtherKind(const json& document, const std::string& file) {
    if (!document.is_object())
        return;
    const auto refuse = [&](const std::string& what) {
        throw Error("architecture.format", file + what, {{"file", file}, {"place", "format"}, {"suggestions", json::array()}});
    };
    if (std::none_of(kDocumentKeys.begin(), kDocumentKeys.end(), [&](std::string_view key) { return document.contains(key); }))
        refuse(" is not an architecture: it has none of its keys.");
    if (!document.contains("format") || !document["format"].is_string())
        return;
    const auto format = document["format"].get<std::string>();
    if (format.starts_with("headroom/") && format != "headroom/architecture")
        refuse(" is a " + format + ", not an architecture.");
}

void checkFormat(const ObjectReader& object) {
    if (object.text("format") != "headroom/architecture")
        object.refuse("architecture.format", "format",
                      "this is not an architecture; its format is “" + object.text("format") + "”");
    if (const auto version = object.whole("version", 1, 1'000'000); version > 1)
        object.refuse("architecture.version", "version",
                      "the document has version " + std::to_string(version) +
                          "; this version of Headroom reads version 1");
}

/// What the layers must agree in, with each other and with what stands around them.
void checkLayers(const Architecture& architecture, const json& document, const std::string& file) {
    const auto surroundings = surroundingsOf(architecture);
    const auto& layers = architecture.encoder.layers;
    for (int number = 1; number <= static_cast<int>(layers.size()); ++number) {
        const auto mistake = layerMistake(layers, number, surroundings);
        // The example of version 1 has a layer that reuses conv heads: it is read, and refused where it would
        // be counted or built.
        if (!mistake || mistake->code == "architecture.reuseOfConv")
            continue;
        static constexpr std::array<std::string_view, 1> kLayerKeys{"heads"};
        const ObjectReader object(document["encoder"]["layers"][static_cast<std::size_t>(number) - 1],
                                  "encoder.layers[" + std::to_string(number) + "]", file, kLayerKeys);
        object.refuse(mistake->code, "heads", mistake->reason + nearestText(mistake->suggestions), mistake->suggestions);
    }
    const auto& convolution = architecture.encoder.convolution;
    if (const auto& branch = architecture.encoder.branch) {
        static constexpr std::array<std::string_view, 3> kBranchKeys{"units", "kernel", "mergeKernel"};
        const ObjectReader object(document["encoder"]["branch"], "encoder.branch", file, kBranchKeys);
        for (const auto& [key, kernel] : {std::pair("kernel", branch->kernel), std::pair("mergeKernel", branch->mergeKernel)})
            if (kernel > surroundings.longestTokens)
                object.refuse("architecture.kernel", key,
                              "a kernel of " + std::to_string(kernel) + " tokens is longer than any utterance: " +
                                  grouped(longestFrames(architecture.frontEnd)) + " frames are " +
                                  grouped(surroundings.longestTokens) + " tokens");
    }
    if (convolution && convolution->kernel > surroundings.longestTokens) {
        static constexpr std::array<std::string_view, 6> kConvolutionKeys{
            "kernel", "norm", "bias", "depthwiseBias", "causal", "activation"};
        const ObjectReader object(document["encoder"]["convolution"], "encoder.convolution", file,
                                  kConvolutionKeys);
        object.refuse("architecture.kernel", "kernel",
                      "a kernel of " + std::to_string(convolution->kernel) +
                          " tokens is longer than any utterance: " +
                          grouped(longestFrames(architecture.frontEnd)) + " frames are " + grouped(surroundings.longestTokens) + " tokens");
    }
}

/// A text front end is an embedding: the decoder's, or one of its own.
void checkTextModel(const ObjectReader& object, const Architecture& architecture) {
    if (!architecture.decoder)
        object.refuse("architecture.value", "decoder",
                      "a model that reads text writes its translation, and there is no decoder");
    if (architecture.frontEnd.vocabulary == 0 && architecture.decoder->width != architecture.encoder.width)
        object.refuse("architecture.value", "decoder",
                      "a text front end embeds the source with the decoder's embedding, so both widths must be equal, "
                      "or the front end needs a “vocabulary” of its own: the encoder's width is " + std::to_string(architecture.encoder.width) + ", the decoder's " +
                          std::to_string(architecture.decoder->width));
    if (architecture.encoder.positions == Positions::Stored && architecture.decoder->positions != TextPositions::Learnt)
        object.refuse("architecture.value", "encoder",
                      "“stored” positions of a text model need learnt positions in the decoder, whose “places” they share");
    if (architecture.encoder.kind != EncoderKind::Transformer || architecture.encoder.positions == Positions::Convolutional)
        object.refuse("architecture.value", "encoder",
                      "this version runs text models of kind “transformer”, without convolutional positions");
}

/// Patches have learnt positions, of which there is one for each token of a fixed window.
void checkPatches(const ObjectReader& object, const Architecture& architecture) {
    const bool patches = architecture.frontEnd.kind == FrontEndKind::Patches;
    if (patches != (architecture.encoder.positions == Positions::Learnt))
        object.refuse("architecture.value", "encoder",
                      patches ? "patches of time and frequency need the positions “learnt”"
                              : "the positions “learnt” belong to the front end “patches”");
    if (!patches)
        return;
    if (architecture.encoder.kind != EncoderKind::Transformer)
        object.refuse("architecture.value", "encoder",
                      "this version runs patches in encoders of kind “transformer”: a convolution along tokens would mix "
                      "frequencies with times");
    for (const char* key : {"decoder", "ctc", "lengthAdapter", "intermediateFeedForward"})
        if (!object.absent(key))
            object.refuse("architecture.value", key, "an encoder of patches has no decoder, CTC output or length "
                                                     "adapter in this version");
}

void readSpeechModel(const ObjectReader& object, const json& document, const std::string& file,
                     Architecture& result) {
    result.frontEnd = readFrontEnd(object.at("frontEnd"), file);
    result.encoder = readEncoder(object.at("encoder"), file);
    checkPatches(object, result);
    if (result.encoder.positions == Positions::Interleaved && result.encoder.width % 2 != 0)
        object.refuse("architecture.value", "encoder",
                      "“interleaved” positions are pairs of sine and cosine, and the width " +
                          std::to_string(result.encoder.width) + " is odd");
    if (result.encoder.positions == Positions::Stored && !result.frontEnd.input().window() &&
        result.frontEnd.kind != FrontEndKind::Text)
        object.refuse("architecture.value", "encoder",
                      "“stored” positions are rows of a fixed window, which only the input “" +
                          wordOf(InputKind::WhisperLogMel) + "” has");
    checkLayers(result, document, file);
    if (!object.absent("decoder"))
        result.decoder = readDecoder(object.at("decoder"), file);
    if (result.frontEnd.kind == FrontEndKind::Text)
        checkTextModel(object, result);
    if (!object.absent("ctc"))
        result.ctc = static_cast<int>(object.whole("ctc", 1, kLargestVocabulary));
    if (document.contains("intermediateFeedForward"))
        result.intermediateFeedForward = object.truth("intermediateFeedForward");
    if (!object.absent("lengthAdapter"))
        result.lengthAdapter = readLengthAdapter(object.at("lengthAdapter"), file);
    if (result.decoder && (result.lengthAdapter || result.intermediateFeedForward))
        object.refuse("architecture.value",
                      result.lengthAdapter ? "lengthAdapter" : "intermediateFeedForward",
                      "this stands between the encoder and a CTC output, and a decoder reads the encoder");
    if (document.contains("ctcBlank")) {
        if (!result.ctc)
            object.refuse("architecture.value", "ctcBlank",
                          "this is the blank of a CTC output, but there is no CTC output");
        result.ctcBlank = static_cast<int>(object.whole("ctcBlank", 0, *result.ctc - 1));
    }
}

} // namespace

int Architecture::FrontEnd::padding(std::size_t convolution) const {
    return kind == FrontEndKind::Waveform || kind == FrontEndKind::Patches || !padded ? 0 : kernels.at(convolution) / 2;
}

ModelInput Architecture::FrontEnd::input() const {
    return {reads, features, normalised, stacked, paddingValue, preEmphasis, cmvn, frames, windowFrames};
}

namespace {

std::vector<Subsampling> subsamplingOf(const Architecture::FrontEnd& frontEnd) {
    std::vector<Subsampling> steps;
    for (std::size_t i = 0; i < frontEnd.kernels.size(); ++i)
        steps.push_back(
            {.kernel = frontEnd.kernels[i], .stride = frontEnd.strides[i], .padding = frontEnd.padding(i)});
    return steps;
}

} // namespace

std::int64_t Architecture::FrontEnd::bands() const {
    return kind == FrontEndKind::Patches ? (features - kernels.front()) / frequencyStride + 1 : 1;
}

std::pair<double, double> Architecture::FrontEnd::bandHertz(std::int64_t band) const {
    constexpr double kLowest = 20, kHighest = 8000; // of Kaldi's filters
    const int first = static_cast<int>(band) * frequencyStride;
    return MelFilters::kaldiRange(features, first, first + kernels.front() - 1, kLowest, kHighest);
}

TokenClock Architecture::FrontEnd::clock() const {
    return TokenClock(input().clock(), subsamplingOf(*this), bands());
}

TokenClock Architecture::outputClock() const {
    std::vector<Subsampling> steps = subsamplingOf(frontEnd);
    if (lengthAdapter)
        steps.insert(steps.end(), static_cast<std::size_t>(lengthAdapter->layers),
                     {.kernel = lengthAdapter->kernel,
                      .stride = lengthAdapter->stride,
                      .padding = lengthAdapter->stride / 2});
    return TokenClock(frontEnd.input().clock(), std::move(steps), frontEnd.bands());
}

Frames Architecture::FrontEnd::framesIn(Seconds time) const {
    // Of a text, tokens are counted where recordings count frames of 10 ms.
    const double step = (reads == InputKind::Text ? FrameClock() : input().clock()).step().value();
    return Frames(std::llround(time.value() / step));
}

std::int64_t Architecture::FrontEnd::ownTokens(std::int64_t rows) const {
    return clock().tokenCount(Frames(rows - input().rowsBehind())).value();
}

std::int64_t Architecture::FrontEnd::computedTokens(std::int64_t rows) const {
    return clock().tokenCount(Frames(input().window().value_or(rows))).value() + classTokens;
}

int Architecture::Layer::headCount() const {
    return headroom::headCount(heads);
}

Architecture parseArchitecture(std::string_view text, const std::string& name) {
    const auto document = parseStrictJson(text, name);
    refuseOtherKind(document, name);
    const ObjectReader object(document, "", name, kDocumentKeys);
    checkFormat(object);
    Architecture result;
    if (document.contains("name"))
        result.name = object.text("name");
    if (document.contains("source"))
        result.source = object.text("source");
    if (!object.absent("languageModel")) {
        for (const char* key : {"frontEnd", "encoder", "decoder", "ctc"})
            if (!object.absent(key))
                object.refuse("architecture.languageModel", key,
                              "a language model reads no speech: it has no front end, encoder, "
                              "decoder or CTC output");
        result.languageModel = readLanguageModel(object.at("languageModel"), name);
    } else
        readSpeechModel(object, document, name, result);
    const bool hasWords = result.decoder || result.languageModel;
    result.vocabulary = static_cast<int>(object.whole("vocabulary", hasWords ? 1 : 0, kLargestVocabulary));
    if (document.contains("parameters"))
        result.publishedParameters = object.whole("parameters", 1, std::int64_t(1) << 52);
    if (document.contains("parametersWithout")) {
        object.word("parametersWithout", kWithout);
        if (!result.publishedParameters || result.languageModel)
            object.refuse("architecture.value", "parametersWithout",
                          "this says what the count in “parameters” leaves out of a speech model, and there "
                          "is none");
        result.publishedWithoutFrontEnd = true;
    }
    return result;
}

Architecture readArchitecture(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    if (!in || std::filesystem::is_directory(file))
        throw Error("architecture.missing", unreadText(file), {{"file", file.string()}});
    text << in.rdbuf();
    return parseArchitecture(text.str(), file.string());
}

} // namespace headroom
