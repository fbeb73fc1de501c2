// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/document_parts.h"

#include <array>

namespace headroom {

namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 11> kEncoderKeys{
    "kind",       "width",       "feedForward",       "norm",    "positions",
    "activation", "convolution", "queryKeyValueBias", "dropout", "attentionDropout",
    "layers"};
constexpr std::array<std::string_view, 3> kConvolutionKeys{"kernel", "norm", "bias"};
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
    return result;
}

} // namespace

Architecture::Encoder readEncoder(const json& value, const std::string& file) {
    const ObjectReader object(value, "encoder", file, kEncoderKeys);
    Architecture::Encoder result;
    result.kind = object.choice<EncoderKind>("kind");
    result.width = static_cast<int>(object.whole("width", 1, kWidest));
    result.feedForward = static_cast<int>(object.whole("feedForward", 1, kLongestFeedForward));
    optionalChoice(object, value, "norm", result.norm);
    optionalChoice(object, value, "positions", result.positions);
    optionalChoice(object, value, "activation", result.activation);
    if (result.kind == EncoderKind::Conformer) {
        result.convolution = readConvolution(object.at("convolution"), file);
        if (result.norm == NormPlace::Post)
            object.refuse(
                "architecture.value", "norm",
                "a conformer normalises before each of its parts and once after them; use “pre”",
                {"pre"});
    } else if (value.contains("convolution"))
        object.refuse("architecture.unknownKey", "convolution",
                      "only the layers of a conformer have a convolution");
    optionalTruth(object, value, "queryKeyValueBias", result.queryKeyValueBias);
    optionalShare(object, value, "dropout", result.dropout);
    optionalShare(object, value, "attentionDropout", result.attentionDropout);
    const auto& layers = object.at("layers");
    if (!layers.is_array() || layers.empty() || layers.size() > kMostEncoderLayers)
        object.refuse("architecture.type", "layers",
                      "this must be a list of 1 to " + std::to_string(kMostEncoderLayers) + " layers");
    for (const auto& layer : layers) {
        const auto place = "encoder.layers[" + std::to_string(result.layers.size() + 1) + "]";
        const ObjectReader reader(layer, place, file, kLayerKeys);
        auto heads = readHeads(reader, "heads");
        checkHeadCount(reader, "heads", heads, result.width);
        result.layers.push_back({std::move(heads)});
    }
    return result;
}

} // namespace headroom
