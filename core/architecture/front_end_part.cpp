// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/document_parts.h"

#include <array>

namespace headroom {

namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 10> kFrontEndKeys{"kind",       "input", "features",   "channels", "kernels", "strides",
                                                          "activation", "norm",  "projection", "scaled"};
constexpr std::array<std::string_view, 9> kWaveformKeys{
    "kind", "channels", "kernels", "strides", "activation", "norm", "bias", "projectionNorm", "normalised"};
constexpr std::array<std::string_view, 2> kMelNorms{"none", "batch"};
constexpr std::array<std::string_view, 3> kWaveformNorms{"none", "group", "layer"};
constexpr std::size_t kMostConvolutions = 8;

void readConvolutions(const ObjectReader& object, Architecture::FrontEnd& frontEnd) {
    frontEnd.kernels = object.wholes("kernels", 1, 99, kMostConvolutions);
    frontEnd.strides = object.wholes("strides", 1, 99, kMostConvolutions);
    if (frontEnd.kernels.size() != frontEnd.strides.size())
        object.refuse("architecture.value", "strides",
                      "there are " + std::to_string(frontEnd.kernels.size()) + " kernels and " +
                          std::to_string(frontEnd.strides.size()) +
                          " strides; each convolution has one of both");
    const char* what = frontEnd.kind == FrontEndKind::Waveform ? " numbers of channels" : " numbers of planes";
    if (frontEnd.kind != FrontEndKind::Conv1d && frontEnd.planes.size() != frontEnd.kernels.size())
        object.refuse("architecture.value", "channels",
                      "there are " + std::to_string(frontEnd.kernels.size()) + " kernels and " +
                          std::to_string(frontEnd.planes.size()) + what +
                          "; each convolution has one of both");
    for (std::size_t i = 0; i < frontEnd.kernels.size(); ++i)
        if (frontEnd.strides[i] > frontEnd.kernels[i])
            object.refuse("architecture.value", "strides[" + std::to_string(i + 1) + "]",
                          "a stride larger than the kernel would skip frames; nearest is " +
                              std::to_string(frontEnd.kernels[i]),
                          {frontEnd.kernels[i]});
}

void readChannels(const ObjectReader& object, const json& value, Architecture::FrontEnd& frontEnd) {
    const auto& channels = object.at("channels");
    if (frontEnd.kind == FrontEndKind::Conv2d) {
        if (!channels.is_array())
            object.refuse("architecture.type", "channels",
                          "a conv2d front end needs a list here, the planes of each convolution");
        frontEnd.planes = object.wholes("channels", 1, kWidest, kMostConvolutions);
        return;
    }
    if (channels.is_array())
        object.refuse("architecture.type", "channels",
                      "a conv1d front end needs one number here; a list of planes belongs to conv2d");
    frontEnd.channels = static_cast<int>(object.whole("channels", 2, kWidest));
    if (frontEnd.activation == FrontEndActivation::Glu && frontEnd.channels % 2 != 0)
        object.refuse("architecture.value", "channels",
                      "GLU halves the channels, so they must be even; nearest are " +
                          std::to_string(frontEnd.channels - 1) + " and " +
                          std::to_string(frontEnd.channels + 1),
                      {frontEnd.channels - 1, frontEnd.channels + 1});
    optionalTruth(object, value, "projection", frontEnd.projection);
    optionalTruth(object, value, "scaled", frontEnd.scaled);
}

/// One of the norms that a kind of front end has.
void readNorm(const ObjectReader& object, const json& value, std::span<const std::string_view> words,
              FrontEndNorm& norm) {
    if (value.contains("norm"))
        norm = choiceOf<FrontEndNorm>(object.word("norm", words));
}

/// What the features are: any kind but samples, which are no features.
void readInput(const ObjectReader& object, const json& value, InputKind& input) {
    if (!value.contains("input"))
        return;
    std::vector<std::string_view> words;
    for (const auto word : ChoiceWords<InputKind>::all)
        if (word != wordOf(InputKind::Waveform))
            words.push_back(word);
    input = choiceOf<InputKind>(object.word("input", words));
}

Architecture::FrontEnd readWaveform(const json& value, const std::string& file) {
    const ObjectReader object(value, "frontEnd", file, kWaveformKeys);
    Architecture::FrontEnd result;
    result.kind = FrontEndKind::Waveform;
    result.reads = InputKind::Waveform;
    result.features = 1;
    result.bias = false;
    result.activation = FrontEndActivation::Gelu;
    result.norm = FrontEndNorm::Group;
    optionalChoice(object, value, "activation", result.activation);
    if (result.activation == FrontEndActivation::Glu)
        object.refuse("architecture.value", "activation",
                      "GLU is only for conv1d; a waveform front end has “gelu” or “relu”", {"gelu", "relu"});
    readNorm(object, value, kWaveformNorms, result.norm);
    result.planes = object.wholes("channels", 1, kWidest, kMostConvolutions);
    readConvolutions(object, result);
    optionalTruth(object, value, "bias", result.bias);
    optionalTruth(object, value, "projectionNorm", result.projectionNorm);
    optionalTruth(object, value, "normalised", result.normalised);
    return result;
}

} // namespace

Architecture::FrontEnd readFrontEnd(const json& value, const std::string& file) {
    if (value.is_object() && value.contains("kind") && value["kind"] == wordOf(FrontEndKind::Waveform))
        return readWaveform(value, file);
    const ObjectReader object(value, "frontEnd", file, kFrontEndKeys);
    Architecture::FrontEnd result;
    result.kind = object.choice<FrontEndKind>("kind");
    const bool flat = result.kind == FrontEndKind::Conv1d;
    result.activation = flat ? FrontEndActivation::Glu : FrontEndActivation::Relu;
    optionalChoice(object, value, "activation", result.activation);
    if (!flat && result.activation == FrontEndActivation::Glu)
        object.refuse("architecture.value", "activation",
                      "GLU is only for conv1d; a conv2d front end needs “relu”", {"relu"});
    readNorm(object, value, kMelNorms, result.norm);
    readInput(object, value, result.reads);
    result.features = static_cast<int>(object.whole("features", 1, 1000));
    readChannels(object, value, result);
    if (!flat && value.contains("projection"))
        object.refuse("architecture.unknownKey", "projection",
                      "a conv2d front end always ends in a linear layer; this key belongs to conv1d");
    if (!flat && value.contains("scaled"))
        object.refuse("architecture.unknownKey", "scaled",
                      "the linear layer of a conv2d front end finds its own scale; this key belongs to conv1d");
    readConvolutions(object, result);
    return result;
}

} // namespace headroom
