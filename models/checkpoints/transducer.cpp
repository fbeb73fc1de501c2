// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/transducer.h"

#include "core/text/tokenizer.h"
#include "models/checkpoints/json_file.h"
#include "models/checkpoints/weights.h"
#include "models/contributions/memory.h"

#include <algorithm>

namespace headroom::models {
namespace {

constexpr int kMostLabels = 1'000'000;

std::vector<ExpectedTensor> transducerTensors(const Transducer& shape, std::int64_t encoderWidth) {
    const std::int64_t width = shape.width, gates = 4 * width;
    const auto outputs = static_cast<std::int64_t>(shape.durations.size()) + shape.vocabulary;
    std::vector<ExpectedTensor> tensors{{"decoder.embedding.weight", {shape.vocabulary, width}}};
    for (int layer = 0; layer < shape.layers; ++layer) {
        const std::string number = "_l" + std::to_string(layer);
        tensors.push_back({"decoder.lstm.weight_ih" + number, {gates, width}});
        tensors.push_back({"decoder.lstm.weight_hh" + number, {gates, width}});
        tensors.push_back({"decoder.lstm.bias_ih" + number, {gates}});
        tensors.push_back({"decoder.lstm.bias_hh" + number, {gates}});
    }
    tensors.push_back({"decoder.decoder_projector.weight", {width, width}});
    tensors.push_back({"decoder.decoder_projector.bias", {width}});
    tensors.push_back({"encoder_projector.weight", {width, encoderWidth}});
    tensors.push_back({"encoder_projector.bias", {width}});
    tensors.push_back({"joint.head.weight", {outputs, width}});
    tensors.push_back({"joint.head.bias", {outputs}});
    return tensors;
}

/// What generation begins with, a blank unless generation_config.json names another label.
int startOf(const ModelFolder& model, const Transducer& shape) {
    const std::filesystem::path file = model.folder / "generation_config.json";
    if (!std::filesystem::exists(file))
        return shape.blank;
    const JsonFile generation(file);
    const bool named =
        generation.has("decoder_start_token_id") && !generation.value("decoder_start_token_id").is_null();
    return named ? static_cast<int>(generation.integer("decoder_start_token_id", 0, shape.vocabulary - 1))
                 : shape.blank;
}

void findLabels(const ModelFolder& model, Transducer& transducer) {
    const std::filesystem::path file = model.folder / "tokenizer.json";
    if (!std::filesystem::exists(file)) {
        transducer.assumed.push_back(shown(file) +
                                     " is missing, so the labels of the transducer have no text.");
        return;
    }
    const int pieces = withModelCodes([&] { return Tokenizer(file).size(); });
    if (pieces > transducer.vocabulary)
        throw Error("model.tokenizer",
                    shown(file) + " has " + std::to_string(pieces) + " pieces, and " + shown(model.config) +
                        " expects " + std::to_string(transducer.vocabulary) + ".",
                    {{"file", file.string()}});
    transducer.tokenizer = file;
}

} // namespace

bool isOfTransducer(const std::string& name) {
    return name.starts_with("decoder.") || name.starts_with("joint.") ||
           name.starts_with("encoder_projector.");
}

std::optional<Transducer> readTransducer(const ModelFolder& model, const NamedTensors& weights) {
    if (model.isOurs || model.isFairseq || !weights.contains("joint.head.weight") ||
        model.config.extension() != ".json")
        return std::nullopt;
    const JsonFile config(model.config);
    Transducer found;
    found.vocabulary = static_cast<int>(config.integer("vocab_size", 2, kMostLabels));
    found.width = static_cast<int>(config.integer("decoder_hidden_size", 1, 65'536));
    found.layers = static_cast<int>(config.integer("num_decoder_layers", 1, 100));
    found.blank = static_cast<int>(config.integer("blank_token_id", 0, found.vocabulary - 1));
    if (config.has("max_symbols_per_step"))
        found.mostSymbols = static_cast<int>(config.integer("max_symbols_per_step", 1, 1000));
    if (config.has("durations"))
        found.durations = config.integers("durations", 0, 1000);
    if (config.has("hidden_act") && config.text("hidden_act") != "relu")
        config.refuse("model.unsupported",
                      ": “hidden_act” is “" + config.text("hidden_act").substr(0, 40) +
                          "”; this version runs transducers with relu",
                      {{"key", "hidden_act"}});
    found.start = startOf(model, found);
    findLabels(model, found);

    NamedTensors own(weights.owner(), weights.format());
    for (const std::string& name : weights.names())
        if (isOfTransducer(name))
            own.add(name, weights.tensor(name));
    const std::vector<ExpectedTensor> expected = transducerTensors(found, model.architecture.encoder.width);
    LoadReport report;
    const std::string file = shown(model.weights);
    checkWeights(own, expected, file, shown(model.config), report);
    refuseWeightsThatDoNotFit(bytesToLoad(own, expected), file, freeMemory());
    found.parameters = loadWeights(own, expected, [&](const std::string& name) { return std::pair(file, name); });
    return found;
}

} // namespace headroom::models
