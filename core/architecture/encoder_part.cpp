// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/document_parts.h"

#include <array>

namespace headroom {

namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 23> kEncoderKeys{"kind",         "width",
                                                        "feedForward",  "norm",
                                                        "normEpsilon",  "inputNorm",
                                                        "positions",    "positionalConvolution",
                                                        "relativeBias", "relativeKey",
                                                        "activation",   "convolution",
                                                        "branch",       "outputNorm",
                                                        "adapters",     "queryKeyValueBias",
                                                        "keyBias",      "outputBias",
                                                        "feedForwardBias",
                                                        "dropout",      "attentionDropout",
                                                        "activationDropout",
                                                        "layers"};
constexpr std::array<std::string_view, 6> kPositionalKeys{"kernel",     "groups", "layers",
                                                          "weightNorm", "norm",   "activation"};
constexpr std::array<std::string_view, 2> kRelativeBiasKeys{"buckets", "maxDistance"};
constexpr std::array<std::string_view, 2> kRelativeKeyKeys{"left", "right"};
constexpr std::array<std::string_view, 6> kConvolutionKeys{"kernel",        "norm",   "bias",
                                                           "depthwiseBias", "causal", "activation"};
constexpr std::array<std::string_view, 7> kLengthAdapterKeys{"layers", "kernel",      "stride",    "width",
                                                             "heads",  "feedForward", "activation"};
constexpr std::array<std::string_view, 3> kBranchKeys{"units", "kernel", "mergeKernel"};
constexpr std::array<std::string_view, 1> kLayerKeys{"heads"};

Architecture::Convolution readConvolution(const json& value, const std::string& file) {
    const ObjectReader object(value, "encoder.convolution", file, kConvolutionKeys);
    Architecture::Convolution result;
    result.kernel = static_cast<int>(object.whole("kernel", 1, kLongestOddKernel));
    if (result.kernel % 2 == 0)
        object.refuse("architecture.value", "kernel",
                      "the kernel of a conformer must be odd, so that it is centred on a token; nearest "
                      "are " +
                          std::to_string(result.kernel - 1) + " and " + std::to_string(result.kernel + 1),
                      {result.kernel - 1, result.kernel + 1});
    result.norm = object.choice<ConvolutionNorm>("norm");
    optionalTruth(object, value, "bias", result.bias);
    optionalTruth(object, value, "depthwiseBias", result.depthwiseBias);
    optionalTruth(object, value, "causal", result.causal);
    optionalChoice(object, value, "activation", result.activation);
    return result;
}

int oddKernel(const ObjectReader& object, const char* key) {
    const auto kernel = static_cast<int>(object.whole(key, 1, kLongestOddKernel));
    if (kernel % 2 == 0)
        object.refuse("architecture.value", key,
                      "this kernel must be odd, so that it is centred on a token; nearest are " +
                          std::to_string(kernel - 1) + " and " + std::to_string(kernel + 1),
                      {kernel - 1, kernel + 1});
    return kernel;
}

Architecture::GatedBranch readBranch(const json& value, const std::string& file) {
    const ObjectReader object(value, "encoder.branch", file, kBranchKeys);
    Architecture::GatedBranch result;
    result.units = static_cast<int>(object.whole("units", 2, kLongestFeedForward));
    if (result.units % 2 != 0)
        object.refuse("architecture.value", "units", "one half gates the other, so this must be even");
    result.kernel = oddKernel(object, "kernel");
    result.mergeKernel = value.contains("mergeKernel") ? oddKernel(object, "mergeKernel") : 0;
    return result;
}

/// What a kind of layer has that others have not.
void readLayerParts(const ObjectReader& object, const json& value, const std::string& file,
                    Architecture::Encoder& encoder) {
    if (encoder.kind == EncoderKind::Conformer)
        encoder.convolution = readConvolution(object.at("convolution"), file);
    else if (value.contains("convolution"))
        object.refuse("architecture.unknownKey", "convolution",
                      "only the layers of a conformer have a convolution");
    if (encoder.kind == EncoderKind::Branchformer)
        encoder.branch = readBranch(object.at("branch"), file);
    else if (value.contains("branch"))
        object.refuse("architecture.unknownKey", "branch", "only the layers of a branchformer have a second branch");
    if (encoder.kind == EncoderKind::Transformer) {
        if (value.contains("outputNorm"))
            object.refuse("architecture.unknownKey", "outputNorm",
                          "a transformer's “norm” says whether one follows its last layer");
        return;
    }
    optionalTruth(object, value, "outputNorm", encoder.outputNorm);
    if (encoder.norm == NormPlace::Post)
        object.refuse("architecture.value", "norm",
                      "a " + wordOf(encoder.kind) + " normalises before each of its parts and once after them; use “pre”",
                      {"pre"});
}

Architecture::RelativeKey readRelativeKey(const json& value, const std::string& file) {
    const ObjectReader object(value, "encoder.relativeKey", file, kRelativeKeyKeys);
    constexpr int kFarthest = 100'000;
    return {static_cast<int>(object.whole("left", 0, kFarthest)),
            static_cast<int>(object.whole("right", 0, kFarthest))};
}

Architecture::PositionalConvolution readPositionalConvolution(const json& value, int width,
                                                              const std::string& file) {
    const ObjectReader object(value, "encoder.positionalConvolution", file, kPositionalKeys);
    Architecture::PositionalConvolution result;
    result.kernel = static_cast<int>(object.whole("kernel", 1, kLongestOddKernel));
    result.groups = static_cast<int>(object.whole("groups", 1, kWidest));
    if (width % result.groups != 0)
        object.refuse("architecture.value", "groups",
                      std::to_string(result.groups) + " groups do not divide the width " +
                          std::to_string(width));
    if (value.contains("layers"))
        result.layers = static_cast<int>(object.whole("layers", 1, kMostEncoderLayers));
    optionalTruth(object, value, "weightNorm", result.weightNorm);
    optionalChoice(object, value, "norm", result.norm);
    optionalChoice(object, value, "activation", result.activation);
    return result;
}

Architecture::RelativeBias readRelativeBias(const json& value, const std::string& file) {
    const ObjectReader object(value, "encoder.relativeBias", file, kRelativeBiasKeys);
    Architecture::RelativeBias result;
    result.buckets = static_cast<int>(object.whole("buckets", 4, kWidest));
    result.maxDistance = static_cast<int>(object.whole("maxDistance", 1, 1'000'000));
    if (result.buckets % 4 != 0)
        object.refuse("architecture.value", "buckets",
                      "half of the buckets are for later keys, and half of those for single distances, so "
                      "their number must be a multiple of 4");
    if (result.maxDistance <= result.buckets / 4)
        object.refuse("architecture.value", "maxDistance",
                      "the " + std::to_string(result.buckets / 4) +
                          " nearest distances have buckets of their own, so this must be larger");
    return result;
}

/// Keys of the parts that not every encoder has.
void readParts(const ObjectReader& object, const json& value, const std::string& file,
               Architecture::Encoder& encoder) {
    if (encoder.positions == Positions::Convolutional)
        encoder.positionalConvolution =
            readPositionalConvolution(object.at("positionalConvolution"), encoder.width, file);
    else if (value.contains("positionalConvolution"))
        object.refuse("architecture.unknownKey", "positionalConvolution",
                      "this belongs to the positions “convolutional”");
    if (encoder.positions == Positions::RelativeKey)
        encoder.relativeKey = readRelativeKey(object.at("relativeKey"), file);
    else if (value.contains("relativeKey"))
        object.refuse("architecture.unknownKey", "relativeKey",
                      "this belongs to the positions “relative-key”");
    if (!object.absent("relativeBias"))
        encoder.relativeBias = readRelativeBias(object.at("relativeBias"), file);
    optionalTruth(object, value, "inputNorm", encoder.inputNorm);
    if (value.contains("normEpsilon"))
        encoder.normEpsilon = object.real("normEpsilon", 1e-12, 1);
    if (!value.contains("adapters"))
        return;
    if (encoder.kind != EncoderKind::Transformer)
        object.refuse("architecture.unknownKey", "adapters", "a " + wordOf(encoder.kind) + "'s layers have no adapters");
    encoder.adapters = static_cast<int>(object.whole("adapters", 1, kWidest));
}

} // namespace

Architecture::LengthAdapter readLengthAdapter(const json& value, const std::string& file) {
    const ObjectReader object(value, "lengthAdapter", file, kLengthAdapterKeys);
    Architecture::LengthAdapter result;
    result.layers = static_cast<int>(object.whole("layers", 1, kMostEncoderLayers));
    result.kernel = static_cast<int>(object.whole("kernel", 1, kLongestOddKernel));
    result.stride = static_cast<int>(object.whole("stride", 1, result.kernel));
    result.width = static_cast<int>(object.whole("width", 1, kWidest));
    result.heads = static_cast<int>(object.whole("heads", 1, kWidest));
    if (result.width % result.heads != 0)
        object.refuse("architecture.headCount", "heads",
                      std::to_string(result.heads) + " heads do not divide the width " +
                          std::to_string(result.width));
    result.feedForward = static_cast<int>(object.whole("feedForward", 1, kLongestFeedForward));
    optionalChoice(object, value, "activation", result.activation);
    return result;
}

Architecture::Encoder readEncoder(const json& value, const std::string& file) {
    const ObjectReader object(value, "encoder", file, kEncoderKeys);
    Architecture::Encoder result;
    result.kind = object.choice<EncoderKind>("kind");
    result.width = static_cast<int>(object.whole("width", 1, kWidest));
    result.feedForward = static_cast<int>(
        object.whole("feedForward", result.kind == EncoderKind::Branchformer ? 0 : 1, kLongestFeedForward));
    optionalChoice(object, value, "norm", result.norm);
    optionalChoice(object, value, "positions", result.positions);
    optionalChoice(object, value, "activation", result.activation);
    readLayerParts(object, value, file, result);
    readParts(object, value, file, result);
    optionalTruth(object, value, "queryKeyValueBias", result.queryKeyValueBias);
    optionalTruth(object, value, "outputBias", result.outputBias);
    optionalTruth(object, value, "feedForwardBias", result.feedForwardBias);
    optionalTruth(object, value, "keyBias", result.keyBias);
    if (!result.keyBias && !result.queryKeyValueBias)
        object.refuse("architecture.unknownKey", "keyBias",
                      "“queryKeyValueBias” false leaves the keys without a bias already");
    optionalShare(object, value, "dropout", result.dropout);
    optionalShare(object, value, "attentionDropout", result.attentionDropout);
    if (value.contains("activationDropout"))
        result.activationDropout = object.real("activationDropout", 0, 1);
    const auto& layers = object.at("layers");
    if (!layers.is_array() || layers.empty() || layers.size() > kMostEncoderLayers)
        object.refuse("architecture.type", "layers",
                      "this must be a list of 1 to " + std::to_string(kMostEncoderLayers) + " layers");
    for (const auto& layer : layers) {
        const auto place = "encoder.layers[" + std::to_string(result.layers.size() + 1) + "]";
        const ObjectReader reader(layer, place, file, kLayerKeys);
        auto heads = readHeads(reader, "heads", result.layers);
        checkHeadCount(reader, "heads", heads, result.width);
        result.layers.push_back({std::move(heads)});
    }
    return result;
}

} // namespace headroom
