// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/document_parts.h"
#include "core/architecture/language_layers.h"
#include "core/errors/count_text.h"

#include <array>
#include <cmath>
#include <limits>

namespace headroom {

namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 19> kFrontEndKeys{
    "kind", "input",      "features", "channels", "kernels",      "strides",    "activation",
    "norm", "projection", "scaled",   "stacked",  "paddingValue", "preEmphasis", "cmvn",
    "transform", "window",    "hop",      "normalised", "padded"};
constexpr std::array<std::string_view, 9> kWaveformKeys{
    "kind", "channels", "kernels", "strides", "activation", "norm", "bias", "projectionNorm", "normalised"};
constexpr std::array<std::string_view, 9> kPatchKeys{"kind",    "input",           "features",    "windowFrames", "kernels",
                                                     "strides", "frequencyStride", "classTokens", "cmvn"};
constexpr std::array<std::string_view, 2> kMelNorms{"none", "batch"};
constexpr std::array<std::string_view, 3> kWaveformNorms{"none", "group", "layer"};
constexpr std::size_t kMostConvolutions = 8;

/// "there is 1 kernel", "there are 2 kernels".
std::string theseAre(std::size_t number, const char* noun) {
    return (number == 1 ? "there is " : "there are ") + counted(static_cast<std::int64_t>(number), noun);
}

void readConvolutions(const ObjectReader& object, Architecture::FrontEnd& frontEnd) {
    frontEnd.kernels = object.wholes("kernels", 1, 99, kMostConvolutions);
    frontEnd.strides = object.wholes("strides", 1, 99, kMostConvolutions);
    if (frontEnd.kernels.size() != frontEnd.strides.size())
        object.refuse("architecture.value", "strides",
                      theseAre(frontEnd.kernels.size(), "kernel") + " and " + counted(static_cast<std::int64_t>(frontEnd.strides.size()), "stride") +
                          "; each convolution has one of both");
    const char* what = frontEnd.kind == FrontEndKind::Waveform ? " of channels" : " of planes";
    const bool listed = frontEnd.kind == FrontEndKind::Conv2d || frontEnd.kind == FrontEndKind::Waveform;
    if (listed && frontEnd.planes.size() != frontEnd.kernels.size())
        object.refuse("architecture.value", "channels",
                      theseAre(frontEnd.kernels.size(), "kernel") + " and " + counted(static_cast<std::int64_t>(frontEnd.planes.size()), "number") + what +
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
    if (frontEnd.kind ==
        FrontEndKind::Depthwise2d) { // planes follow when the number of convolutions is known
        frontEnd.channels = static_cast<int>(object.whole("channels", 1, kWidest));
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
        if (word != wordOf(InputKind::Waveform) && word != wordOf(InputKind::Text) && word != wordOf(InputKind::AstLogMel))
            words.push_back(word);
    input = choiceOf<InputKind>(object.word("input", words));
}

/// Settings of an input that others do not have.
void readInputSettings(const ObjectReader& object, const json& value, Architecture::FrontEnd& frontEnd) {
    const auto belongs = [&](const char* key, InputKind kind) {
        if (!value.contains(key))
            return false;
        if (frontEnd.reads != kind)
            object.refuse("architecture.unknownKey", key, "this belongs to the input “" + wordOf(kind) + "”");
        return true;
    };
    constexpr int kMostStacked = 100;
    if (belongs("stacked", InputKind::StackedKaldiLogMel))
        frontEnd.stacked = static_cast<int>(object.whole("stacked", 1, kMostStacked));
    if (belongs("paddingValue", InputKind::StackedKaldiLogMel))
        frontEnd.paddingValue = object.real("paddingValue", -1e6, 1e6);
    if (belongs("preEmphasis", InputKind::NemoLogMel))
        frontEnd.preEmphasis = object.real("preEmphasis", 0, 1);
    constexpr int kLongestTransform = 16'384;
    EspnetFrames& frames = frontEnd.frames;
    if (belongs("transform", InputKind::EspnetLogMel))
        frames.transform = static_cast<int>(object.whole("transform", 2, kLongestTransform));
    if (belongs("window", InputKind::EspnetLogMel))
        frames.window = static_cast<int>(object.whole("window", 2, kLongestTransform));
    if (belongs("hop", InputKind::EspnetLogMel))
        frames.hop = static_cast<int>(object.whole("hop", 1, kLongestTransform));
    if (belongs("normalised", InputKind::EspnetLogMel))
        frontEnd.normalised = object.truth("normalised");
    if (frontEnd.reads == InputKind::EspnetLogMel && (frames.window > frames.transform || frames.transform % 2 != 0))
        object.refuse("architecture.value", "transform",
                      "this must be even, and hold a window of " + std::to_string(frames.window) + " samples");
    if (frontEnd.reads == InputKind::StackedKaldiLogMel && frontEnd.features % frontEnd.stacked != 0)
        object.refuse("architecture.value", "features",
                      std::to_string(frontEnd.stacked) + " frames side by side do not make " +
                          std::to_string(frontEnd.features) + " features");
}

/// One finite number for each feature. Of an AST, one number may stand for all.
std::vector<double> perFeature(const ObjectReader& object, const char* key, int features, double least,
                               bool oneForAll) {
    const json& list = object.at(key);
    if (oneForAll && list.is_number() && std::isfinite(list.get<double>()) && list.get<double>() > least)
        return std::vector<double>(static_cast<std::size_t>(features), list.get<double>());
    const std::string what = "this must be a list of " + std::to_string(features) + " numbers, one for each feature" +
                             (least >= 0 ? ", each above 0" : "");
    if (!list.is_array() || list.size() != static_cast<std::size_t>(features))
        object.refuse("architecture.type", key, what);
    std::vector<double> values;
    for (const json& one : list) {
        if (!one.is_number() || !std::isfinite(one.get<double>()) || one.get<double>() <= least)
            object.refuse("architecture.value", key, what);
        values.push_back(one.get<double>());
    }
    return values;
}

/// Mean and deviation of the training data.
void readCmvn(const ObjectReader& object, const json& value, const std::string& file, Architecture::FrontEnd& frontEnd) {
    if (!value.contains("cmvn"))
        return;
    const bool oneForAll = frontEnd.reads == InputKind::AstLogMel;
    if (frontEnd.reads != InputKind::KaldiLogMel && frontEnd.reads != InputKind::EspnetLogMel && !oneForAll)
        object.refuse("architecture.unknownKey", "cmvn",
                      "this belongs to the inputs “" + wordOf(InputKind::KaldiLogMel) + "”, “" + wordOf(InputKind::EspnetLogMel) +
                          "” and “" + wordOf(InputKind::AstLogMel) + "”");
    static constexpr std::array<std::string_view, 2> kCmvnKeys{"mean", "deviation"};
    const ObjectReader numbers(value["cmvn"], object.placeOf("cmvn"), file, kCmvnKeys);
    frontEnd.cmvn = GlobalCmvn{perFeature(numbers, "mean", frontEnd.features, -std::numeric_limits<double>::infinity(), oneForAll),
                               perFeature(numbers, "deviation", frontEnd.features, 0, oneForAll)};
}

/// Rows of features, LayerNorm, linear layer: nothing else.
void refuseConvolutions(const ObjectReader& object, const json& value) {
    for (const char* key : {"channels", "kernels", "strides", "activation", "norm", "projection", "scaled", "padded"})
        if (value.contains(key))
            object.refuse("architecture.unknownKey", key,
                          "a linear front end has no convolutions, so it has no such key");
}

/// Source tokens through an embedding: the decoder's, or one of their own.
Architecture::FrontEnd readText(const json& value, const std::string& file) {
    static constexpr std::array<std::string_view, 3> kTextKeys{"kind", "vocabulary", "scaled"};
    const ObjectReader object(value, "frontEnd", file, kTextKeys);
    Architecture::FrontEnd result = textFrontEnd();
    if (value.contains("vocabulary"))
        result.vocabulary = static_cast<int>(object.whole("vocabulary", 1, kLargestVocabulary));
    optionalTruth(object, value, "scaled", result.scaled);
    return result;
}

/// Squares of a spectrogram of a fixed window.
Architecture::FrontEnd readPatches(const json& value, const std::string& file) {
    const ObjectReader object(value, "frontEnd", file, kPatchKeys);
    Architecture::FrontEnd result;
    result.kind = FrontEndKind::Patches;
    static constexpr std::array<std::string_view, 1> kInputs{"ast-log-mel"};
    result.reads = choiceOf<InputKind>(object.word("input", kInputs));
    result.activation = FrontEndActivation::Relu; // there is none
    result.scaled = false;
    result.features = static_cast<int>(object.whole("features", 1, 1000));
    constexpr int kLongestWindow = 100'000, kMostClassTokens = 2;
    result.windowFrames = static_cast<int>(object.whole("windowFrames", 1, kLongestWindow));
    readConvolutions(object, result);
    if (result.kernels.size() != 1)
        object.refuse("architecture.value", "kernels", "patches are made by one convolution");
    const int size = result.kernels.front(), smaller = std::min(result.features, result.windowFrames);
    if (size > smaller)
        object.refuse("architecture.value", "kernels",
                      "a patch of " + std::to_string(size) + " × " + std::to_string(size) + " does not fit into " +
                          std::to_string(result.windowFrames) + " frames of " + std::to_string(result.features) +
                          " features; nearest is " + std::to_string(smaller),
                      {smaller});
    result.frequencyStride = static_cast<int>(object.whole("frequencyStride", 1, size));
    result.classTokens = static_cast<int>(object.whole("classTokens", 0, kMostClassTokens));
    readCmvn(object, value, file, result);
    return result;
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
    if (value.is_object() && value.contains("kind") && value["kind"] == wordOf(FrontEndKind::Text))
        return readText(value, file);
    if (value.is_object() && value.contains("kind") && value["kind"] == wordOf(FrontEndKind::Patches))
        return readPatches(value, file);
    const ObjectReader object(value, "frontEnd", file, kFrontEndKeys);
    Architecture::FrontEnd result;
    result.kind = object.choice<FrontEndKind>("kind");
    const bool flat = result.kind == FrontEndKind::Conv1d;
    if (result.kind == FrontEndKind::Linear) {
        refuseConvolutions(object, value);
        readInput(object, value, result.reads);
        result.features = static_cast<int>(object.whole("features", 1, 1000));
        readInputSettings(object, value, result);
        readCmvn(object, value, file, result);
        result.activation = FrontEndActivation::Relu;
        result.kernels = result.strides = {};
        return result;
    }
    result.activation = flat ? FrontEndActivation::Glu : FrontEndActivation::Relu;
    optionalChoice(object, value, "activation", result.activation);
    if (!flat && result.activation == FrontEndActivation::Glu)
        object.refuse("architecture.value", "activation",
                      "GLU is only for conv1d; a conv2d front end needs “relu”", {"relu"});
    readNorm(object, value, kMelNorms, result.norm);
    readInput(object, value, result.reads);
    result.features = static_cast<int>(object.whole("features", 1, 1000));
    readChannels(object, value, result);
    readInputSettings(object, value, result);
    readCmvn(object, value, file, result);
    if (!flat && value.contains("projection"))
        object.refuse("architecture.unknownKey", "projection",
                      "a conv2d front end always ends in a linear layer; this key belongs to conv1d");
    readConvolutions(object, result);
    const bool depthwise = result.kind == FrontEndKind::Depthwise2d;
    const bool planes = result.kind == FrontEndKind::Conv2d;
    if (planes) // a linear layer finds its own scale; ESPnet multiplies nevertheless
        result.scaled = false;
    else if (value.contains("padded"))
        object.refuse("architecture.unknownKey", "padded", "this belongs to the front end “conv2d”");
    optionalTruth(object, value, "scaled", result.scaled);
    optionalTruth(object, value, "padded", result.padded);
    if (depthwise && (value.contains("activation") || value.contains("norm")))
        object.refuse("architecture.unknownKey", value.contains("norm") ? "norm" : "activation",
                      "a depthwise2d front end has ReLU and no norm");
    if (depthwise)
        result.planes.assign(result.kernels.size(), result.channels);
    return result;
}

} // namespace headroom
