// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/costs.h"

#include "core/architecture/cost_shapes.h"
#include "core/architecture/weight_shapes.h"

#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace headroom {

namespace {

enum class Part { FrontEnd, Positions, Lstm, Attention, FeedForward, Adapters, Convolutions, Norms, Decoder, Embedding, LengthAdapter, Ctc };
/// As tables show them, in this order.
constexpr std::array kPartNames{"front end",    "positions", "LSTM layers", "attention",            "feed-forward",   "adapters",
                                "convolutions", "norms",     "decoder",     "embedding and output", "length adapter", "CTC output"};

using PartOfText = std::pair<std::string_view, Part>;
/// How the names of a part's tensors begin (weight_shapes.h).
constexpr std::array kBeginnings{PartOfText{"model.encoder.conv.", Part::FrontEnd},
                                 PartOfText{"model.encoder.embed_tokens.", Part::FrontEnd},
                                 PartOfText{"model.lstm.", Part::Lstm},
                                 PartOfText{"model.embed_tokens.", Part::Embedding},
                                 PartOfText{"model.decoder.embed_tokens.", Part::Embedding},
                                 PartOfText{"lm_head.", Part::Embedding},
                                 PartOfText{"model.decoder.", Part::Decoder}, // all others of it
                                 PartOfText{"model.intermediate_ffn.", Part::LengthAdapter},
                                 PartOfText{"model.adapter.", Part::LengthAdapter},
                                 PartOfText{"ctc.", Part::Ctc}};
/// What the names of all others contain; the first text that a name contains counts.
constexpr std::array kContents{PartOfText{".adapter.", Part::Adapters}, PartOfText{".self_attn.", Part::Attention},
                               PartOfText{".fc1.", Part::FeedForward},  PartOfText{".fc2.", Part::FeedForward},
                               PartOfText{"layer_norm.", Part::Norms},  PartOfText{".gate_norm.", Part::Norms},
                               PartOfText{".layers.", Part::Convolutions}};

Part partOf(std::string_view name) {
    for (const auto& [text, part] : kBeginnings)
        if (name.starts_with(text))
            return part;
    for (const auto& [text, part] : kContents)
        if (name.find(text) != std::string_view::npos)
            return part;
    return Part::Positions;
}

/// The layer, from 0, of an encoder or a language model to which the tensor of this name belongs.
std::optional<std::size_t> layerOf(std::string_view name) {
    for (const std::string_view layers : {"model.encoder.layers.", "model.layers.", "model.lstm."})
        if (name.starts_with(layers)) {
            std::size_t layer = 0;
            std::from_chars(name.data() + layers.size(), name.data() + name.size(), layer);
            return layer;
        }
    return std::nullopt;
}

Count elements(const WeightShape& weight) {
    Count count = 1;
    for (const Count side : weight.shape)
        count *= side;
    return count;
}

} // namespace

Costs parameterCosts(const Architecture& architecture) {
    const bool isLanguageModel = architecture.languageModel.has_value();
    if (!isLanguageModel)
        checkCountable(architecture);
    Costs costs;
    costs.layers.resize(isLanguageModel ? static_cast<std::size_t>(architecture.languageModel->layers) : architecture.encoder.layers.size());
    std::array<Count, kPartNames.size()> parts{};
    for (const WeightShape& weight : weightShapes(architecture)) {
        if (weight.buffer)
            continue;
        const Count count = elements(weight);
        const Part part = partOf(weight.name);
        parts[static_cast<std::size_t>(part)] += count;
        costs.parameters += count;
        if (isOfEncoder(weight.name))
            costs.encoderParameters += count;
        if (isLanguageModel || part == Part::Decoder || part == Part::Embedding)
            costs.decoderParameters += count;
        if (part == Part::FrontEnd)
            costs.frontEndParameters += count;
        if (const auto layer = layerOf(weight.name))
            costs.layers[*layer] += count;
    }
    for (std::size_t part = 0; part < parts.size(); ++part)
        if (parts[part] > 0)
            costs.parts.push_back({kPartNames[part], parts[part]});
    costs.comparableParameters =
        costs.parameters - (architecture.publishedWithoutFrontEnd ? costs.frontEndParameters : 0);
    return costs;
}

} // namespace headroom
