// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/document_parts.h"

#include "core/architecture/nearest.h"
#include "core/errors/count_text.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace headroom {

namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 12> kDecoderKeys{
    "layers",     "width",          "feedForward", "selfAttention", "crossAttention",   "norm",
    "activation", "tiedEmbeddings", "positions",   "places",        "scaledEmbeddings", "keyBias"};
constexpr int kMostPlaces = 1'000'000;
constexpr std::array<std::string_view, 10> kLanguageModelKeys{
    "kind", "layers",     "width",   "feedForward",      "selfAttention",
    "norm", "activation", "dropout", "attentionDropout", "tiedEmbeddings"};

std::string quoted(const std::string& text) {
    return "“" + text + "”";
}

} // namespace

void optionalTruth(const ObjectReader& object, const json& value, const char* key, bool& target) {
    if (value.contains(key))
        target = object.truth(key);
}

void optionalShare(const ObjectReader& object, const json& value, const char* key, double& target) {
    if (value.contains(key))
        target = object.real(key, 0, 1);
}

namespace {

/// Suggests texts for one that lacks its number of heads: as many as the layer that it reuses has, or else as the layer before.
/// Empty: the text begins with a number, or there is no layer before.
std::vector<std::string> withItsCount(const std::string& text, const std::vector<Architecture::Layer>& before) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (before.empty() || first == std::string::npos || std::isalpha(static_cast<unsigned char>(text[first])) == 0)
        return {};
    try {
        auto heads = parseHeads(std::to_string(before.back().headCount()) + " " + text.substr(first));
        if (const auto reused = static_cast<std::size_t>(heads.front().reusedLayer); reused >= 1 && reused <= before.size())
            heads.front().count = before[reused - 1].headCount();
        return {toText(heads)};
    } catch (const Error& other) { // a second mistake in it
        return other.values()["suggestions"].get<std::vector<std::string>>();
    }
}

std::vector<HeadGroup> headsIn(const std::string& text, const ObjectReader& object, const char* key,
                               const std::vector<Architecture::Layer>& before = {}) {
    try {
        return parseHeads(text);
    } catch (const Error& error) {
        if (const auto nearest = withItsCount(text, before); !nearest.empty())
            object.refuse(error.code(), key, quoted(text) + ": " + error.values()["reason"].get<std::string>() + nearestText(nearest), nearest);
        std::string reason = error.what();
        reason.pop_back(); // its full stop
        object.refuse(error.code(), key, reason, error.values()["suggestions"]);
    }
}

std::vector<HeadGroup> maskedHeadsIn(const std::string& text, const ObjectReader& object, const char* key, int width,
                                     const std::vector<Architecture::Layer>& before = {}) {
    auto heads = headsIn(text, object, key, before);
    for (const auto& group : heads)
        if (group.kind != HeadKind::Masked) {
            HeadGroup all;
            all.count = headCount(heads);
            all.kind = HeadKind::Masked;
            const bool isOneWindow = heads.size() == 1 && group.kind == HeadKind::Local;
            all.window = isOneWindow ? group.window : 0;
            const auto nearest = toText({all});
            object.refuse("architecture.heads", key,
                          "a decoder's self-attention heads must be masked; nearest is " + quoted(nearest),
                          {nearest});
        }
    checkHeadCount(object, key, heads, width);
    return heads;
}

/// The heads of the layers of a language model: one text for all, or a list of one for each.
void readLanguageHeads(const ObjectReader& object, Architecture::LanguageModel& model) {
    const json& value = object.at("selfAttention");
    if (!value.is_array()) {
        model.selfAttention = readMaskedHeads(object, "selfAttention", model.width);
        return;
    }
    if (value.size() != static_cast<std::size_t>(model.layers))
        object.refuse("architecture.layers", "selfAttention",
                      "a list has the heads of each layer, so there must be " + counted(model.layers, "text") +
                          ", not " + std::to_string(value.size()));
    std::vector<Architecture::Layer> layers;
    for (std::size_t layer = 0; layer < value.size(); ++layer) {
        const std::string key = "selfAttention[" + std::to_string(layer + 1) + "]";
        if (!value[layer].is_string())
            object.refuse("architecture.type", key, "this must be a string in quotes");
        layers.push_back({maskedHeadsIn(value[layer].get<std::string>(), object, key.c_str(), model.width, layers)});
    }
    model.setHeads(std::move(layers));
}

} // namespace

std::vector<HeadGroup> readHeads(const ObjectReader& object, const char* key, const std::vector<Architecture::Layer>& before) {
    return headsIn(object.text(key), object, key, before);
}

void checkHeadCount(const ObjectReader& object, const char* key, const std::vector<HeadGroup>& heads,
                    int width) {
    const int count = headCount(heads);
    if (width % count == 0)
        return;
    int below = std::min(count, width), above = count;
    while (width % below != 0)
        --below;
    while (width % above != 0 && above < width)
        ++above;
    const bool one = above == below || width % above != 0;
    object.refuse("architecture.headCount", key,
                  std::to_string(count) + " heads do not divide the width " + std::to_string(width) +
                      (one ? "; nearest is " + std::to_string(below)
                           : "; nearest are " + std::to_string(below) + " and " + std::to_string(above)),
                  one ? json{below} : json{below, above});
}

void checkHeadKinds(const ObjectReader& object, const char* key, const std::vector<HeadGroup>& heads,
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

std::vector<HeadGroup> readMaskedHeads(const ObjectReader& object, const char* key, int width) {
    return maskedHeadsIn(object.text(key), object, key, width);
}

Architecture::Decoder readDecoder(const json& value, const std::string& file) {
    const ObjectReader object(value, "decoder", file, kDecoderKeys);
    Architecture::Decoder result;
    result.layers = static_cast<int>(object.whole("layers", 1, kMostEncoderLayers));
    result.width = static_cast<int>(object.whole("width", 1, kWidest));
    result.feedForward = static_cast<int>(object.whole("feedForward", 1, kLongestFeedForward));
    result.selfAttention = readMaskedHeads(object, "selfAttention", result.width);
    result.crossAttention = readHeads(object, "crossAttention");
    checkHeadKinds(object, "crossAttention", result.crossAttention, HeadKind::Full,
                   "cross-attention heads must be full");
    checkHeadCount(object, "crossAttention", result.crossAttention, result.width);
    optionalChoice(object, value, "norm", result.norm);
    optionalChoice(object, value, "activation", result.activation);
    optionalTruth(object, value, "tiedEmbeddings", result.tiedEmbeddings);
    optionalChoice(object, value, "positions", result.positions);
    if (result.positions == TextPositions::Learnt)
        result.places = static_cast<int>(object.whole("places", 1, kMostPlaces));
    else if (value.contains("places"))
        object.refuse("architecture.unknownKey", "places",
                      "this is the size of a table of positions and belongs to “learnt”");
    optionalTruth(object, value, "scaledEmbeddings", result.scaledEmbeddings);
    optionalTruth(object, value, "keyBias", result.keyBias);
    return result;
}

Architecture::LanguageModel readLanguageModel(const json& value, const std::string& file) {
    const ObjectReader object(value, "languageModel", file, kLanguageModelKeys);
    Architecture::LanguageModel result;
    result.kind = object.choice<LanguageModelKind>("kind");
    result.layers = static_cast<int>(object.whole("layers", 1, kMostEncoderLayers));
    result.width = static_cast<int>(object.whole("width", 1, kWidest));
    if (result.kind == LanguageModelKind::Lstm) {
        for (const char* key : {"feedForward", "selfAttention", "norm", "activation", "attentionDropout"})
            if (value.contains(key))
                object.refuse("architecture.unknownKey", key,
                              "an LSTM has no such part; this key belongs to a transformer");
    } else {
        result.feedForward = static_cast<int>(object.whole("feedForward", 1, kLongestFeedForward));
        readLanguageHeads(object, result);
        optionalChoice(object, value, "norm", result.norm);
        optionalChoice(object, value, "activation", result.activation);
        optionalShare(object, value, "attentionDropout", result.attentionDropout);
    }
    optionalShare(object, value, "dropout", result.dropout);
    optionalTruth(object, value, "tiedEmbeddings", result.tiedEmbeddings);
    return result;
}

} // namespace headroom
