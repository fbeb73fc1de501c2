// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/architecture.h"

#include "core/architecture/document_reader.h"

#include <array>
#include <fstream>
#include <sstream>

namespace headroom {

namespace {

using nlohmann::json;
using Words = std::span<const std::string_view>;

constexpr std::array<std::string_view, 10> kDocumentKeys{"format",     "version",   "name",    "source",
                                                         "frontEnd",   "encoder",   "decoder", "ctc",
                                                         "vocabulary", "parameters"};
constexpr std::array<std::string_view, 5> kFrontEndKeys{"kind", "features", "channels", "kernels", "strides"};
constexpr std::array<std::string_view, 10> kEncoderKeys{"kind",
                                                        "width",
                                                        "feedForward",
                                                        "norm",
                                                        "positions",
                                                        "activation",
                                                        "queryKeyValueBias",
                                                        "dropout",
                                                        "attentionDropout",
                                                        "layers"};
constexpr std::array<std::string_view, 1> kLayerKeys{"heads"};
constexpr std::array<std::string_view, 5> kDecoderKeys{"layers", "width", "feedForward", "selfAttention",
                                                       "crossAttention"};
constexpr std::array<std::string_view, 2> kFrontEnds{"conv1d", "conv2d"},
    kEncoders{"transformer", "conformer"};
constexpr std::array<std::string_view, 2> kNorms{"pre", "post"};
constexpr std::array<std::string_view, 3> kPositions{"sinusoidal", "relative", "none"};
constexpr std::array<std::string_view, 3> kActivations{"relu", "gelu", "swish"};

constexpr int kWidest = 65'536, kLongestFeedForward = 1'000'000, kMostLayers = 1000,
              kLargestVocabulary = 10'000'000;

std::string quoted(const std::string& text) {
    return "“" + text + "”";
}

std::vector<HeadGroup> readHeads(const ObjectReader& object, const char* key) {
    const auto text = object.text(key);
    try {
        return parseHeads(text);
    } catch (const Error& error) {
        std::string reason = error.what();
        reason.pop_back(); // its full stop
        object.refuse(error.code(), key, reason, error.values()["suggestions"]);
    }
}

void checkCount(const ObjectReader& object, const char* key, const std::vector<HeadGroup>& heads, int width) {
    const int count = headCount(heads);
    if (width % count == 0)
        return;
    int below = count, above = count;
    while (width % below != 0)
        --below;
    while (width % above != 0 && above < width)
        ++above;
    object.refuse("architecture.headCount", key,
                  std::to_string(count) + " heads do not divide the width " + std::to_string(width) +
                      "; nearest are " + std::to_string(below) + " and " + std::to_string(above),
                  {below, above});
}

void checkReuse(const ObjectReader& object, const std::vector<Architecture::Layer>& earlier,
                const std::vector<HeadGroup>& heads) {
    const auto refuse = [&](const std::string& reason, json suggestions = json::array()) {
        object.refuse("architecture.reuse", "heads", reason, std::move(suggestions));
    };
    for (const auto& group : heads) {
        if (group.kind != HeadKind::Reuse)
            continue;
        if (heads.size() > 1)
            refuse("a layer reuses a map as a whole, not beside other heads");
        if (group.smoothed || group.suppressed)
            refuse("a reused map is neither smoothed nor suppressed again; the layer it comes from is");
        const auto layer = static_cast<std::size_t>(group.reusedLayer);
        if (layer > earlier.size())
            refuse("only an earlier layer can be reused, and layer " + std::to_string(layer) + " is none");
        const auto& origin = earlier[layer - 1];
        if (origin.heads.front().kind == HeadKind::Reuse) {
            auto nearest = group;
            nearest.reusedLayer = origin.heads.front().reusedLayer;
            refuse("layer " + std::to_string(layer) + " has no map of its own; nearest is " +
                       quoted(toText({nearest})),
                   {toText({nearest})});
        }
        if (origin.headCount() != group.count) {
            auto nearest = group;
            nearest.count = origin.headCount();
            refuse("layer " + std::to_string(layer) + " has " + std::to_string(origin.headCount()) +
                       " heads; nearest is " + quoted(toText({nearest})),
                   {toText({nearest})});
        }
    }
}

Architecture::FrontEnd readFrontEnd(const json& value, const std::string& file) {
    const ObjectReader object(value, "frontEnd", file, kFrontEndKeys);
    Architecture::FrontEnd result;
    result.kind = object.word("kind", kFrontEnds);
    result.features = static_cast<int>(object.whole("features", 1, 1000));
    result.channels = static_cast<int>(object.whole("channels", 2, kWidest));
    if (result.channels % 2 != 0)
        object.refuse("architecture.value", "channels",
                      "GLU halves the channels, so they are even; nearest are " +
                          std::to_string(result.channels - 1) + " and " + std::to_string(result.channels + 1),
                      {result.channels - 1, result.channels + 1});
    result.kernels = object.wholes("kernels", 1, 99, 8);
    result.strides = object.wholes("strides", 1, 99, 8);
    if (result.kernels.size() != result.strides.size())
        object.refuse("architecture.value", "strides",
                      "there are " + std::to_string(result.kernels.size()) + " kernels and " +
                          std::to_string(result.strides.size()) +
                          " strides; each convolution has one of both");
    for (std::size_t i = 0; i < result.kernels.size(); ++i)
        if (result.strides[i] > result.kernels[i])
            object.refuse("architecture.value", "strides[" + std::to_string(i + 1) + "]",
                          "a stride beyond the kernel would skip frames; nearest is " +
                              std::to_string(result.kernels[i]),
                          {result.kernels[i]});
    return result;
}

Architecture::Encoder readEncoder(const json& value, const std::string& file) {
    const ObjectReader object(value, "encoder", file, kEncoderKeys);
    Architecture::Encoder result;
    const auto optionalWord = [&](const char* key, Words words, std::string& target) {
        if (value.contains(key))
            target = object.word(key, words);
    };
    result.kind = object.word("kind", kEncoders);
    result.width = static_cast<int>(object.whole("width", 1, kWidest));
    result.feedForward = static_cast<int>(object.whole("feedForward", 1, kLongestFeedForward));
    optionalWord("norm", kNorms, result.norm);
    optionalWord("positions", kPositions, result.positions);
    optionalWord("activation", kActivations, result.activation);
    if (value.contains("queryKeyValueBias"))
        result.queryKeyValueBias = object.truth("queryKeyValueBias");
    if (value.contains("dropout"))
        result.dropout = object.real("dropout", 0, 1);
    if (value.contains("attentionDropout"))
        result.attentionDropout = object.real("attentionDropout", 0, 1);
    const auto& layers = object.at("layers");
    if (!layers.is_array() || layers.empty() || layers.size() > kMostLayers)
        object.refuse("architecture.type", "layers",
                      "this must be a list of 1 to " + std::to_string(kMostLayers) + " layers");
    for (const auto& layer : layers) {
        const auto place = "encoder.layers[" + std::to_string(result.layers.size() + 1) + "]";
        const ObjectReader reader(layer, place, file, kLayerKeys);
        auto heads = readHeads(reader, "heads");
        checkCount(reader, "heads", heads, result.width);
        checkReuse(reader, result.layers, heads);
        result.layers.push_back({std::move(heads)});
    }
    return result;
}

void checkKinds(const ObjectReader& object, const char* key, const std::vector<HeadGroup>& heads,
                HeadKind wanted, const std::string& what) {
    for (const auto& group : heads)
        if (group.kind != wanted) {
            HeadGroup all;
            all.count = headCount(heads);
            all.kind = wanted;
            const auto nearest = toText({all});
            object.refuse("architecture.heads", key, what + "; nearest is " + quoted(nearest), {nearest});
        }
}

Architecture::Decoder readDecoder(const json& value, const std::string& file) {
    const ObjectReader object(value, "decoder", file, kDecoderKeys);
    Architecture::Decoder result;
    result.layers = static_cast<int>(object.whole("layers", 1, kMostLayers));
    result.width = static_cast<int>(object.whole("width", 1, kWidest));
    result.feedForward = static_cast<int>(object.whole("feedForward", 1, kLongestFeedForward));
    result.selfAttention = readHeads(object, "selfAttention");
    checkKinds(object, "selfAttention", result.selfAttention, HeadKind::Masked,
               "a decoder's own heads are masked");
    checkCount(object, "selfAttention", result.selfAttention, result.width);
    result.crossAttention = readHeads(object, "crossAttention");
    checkKinds(object, "crossAttention", result.crossAttention, HeadKind::Full,
               "cross-attention heads are full");
    checkCount(object, "crossAttention", result.crossAttention, result.width);
    return result;
}

void checkFormat(const ObjectReader& object) {
    if (object.text("format") != "headroom/architecture")
        object.refuse("architecture.format", "format",
                      "this is not an architecture; its format is " + quoted(object.text("format")));
    if (const auto version = object.whole("version", 1, 1'000'000); version > 1)
        object.refuse("architecture.version", "version",
                      "the document has version " + std::to_string(version) +
                          ", this Headroom reads version 1");
}

} // namespace

TokenClock Architecture::FrontEnd::clock() const {
    std::vector<Subsampling> steps;
    for (std::size_t i = 0; i < kernels.size(); ++i)
        steps.push_back({.kernel = kernels[i], .stride = strides[i], .padding = kernels[i] / 2});
    return TokenClock(FrameClock(), std::move(steps));
}

int Architecture::Layer::headCount() const {
    return headroom::headCount(heads);
}

Architecture parseArchitecture(std::string_view text, const std::string& name) {
    const auto document = parseStrictJson(text, name);
    const ObjectReader object(document, "", name, kDocumentKeys);
    checkFormat(object);
    Architecture result;
    if (document.contains("name"))
        result.name = object.text("name");
    if (document.contains("source"))
        result.source = object.text("source");
    result.frontEnd = readFrontEnd(object.at("frontEnd"), name);
    result.encoder = readEncoder(object.at("encoder"), name);
    if (!object.absent("decoder"))
        result.decoder = readDecoder(object.at("decoder"), name);
    if (!object.absent("ctc"))
        result.ctc = static_cast<int>(object.whole("ctc", 1, kLargestVocabulary));
    result.vocabulary =
        static_cast<int>(object.whole("vocabulary", result.decoder ? 1 : 0, kLargestVocabulary));
    if (document.contains("parameters"))
        result.publishedParameters = object.whole("parameters", 1, std::int64_t(1) << 52);
    return result;
}

Architecture readArchitecture(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    if (!in || std::filesystem::is_directory(file))
        throw Error("architecture.missing",
                    file.string() +
                        (std::filesystem::exists(file) ? " could not be read." : " is not there."),
                    {{"file", file.string()}});
    text << in.rdbuf();
    return parseArchitecture(text.str(), file.string());
}

} // namespace headroom
