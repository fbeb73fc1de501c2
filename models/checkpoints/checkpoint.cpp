// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/checkpoint.h"

#include "core/tensors/sha256.h"
#include "core/text/tokenizer.h"
#include "models/checkpoints/json_file.h"
#include "models/checkpoints/weights.h"
#include "models/networks/s2t_encoder.h"

namespace headroom::models {
namespace {

[[noreturn]] void refuseTokenizer(const ModelFolder& model, const std::string& what) {
    throw Error("model.tokenizer", shown(model.tokenizer) + what + ".", {{"file", model.tokenizer.string()}});
}

bool onlyHolds(const std::vector<HeadGroup>& groups, HeadKind kind) {
    for (const HeadGroup& group : groups)
        if (group.kind != kind || group.relaxedMatched || group.smoothed || group.suppressed)
            return false;
    return !groups.empty();
}

} // namespace

std::string nameOfModel(const std::filesystem::path& folder) {
    const std::filesystem::path whole = std::filesystem::absolute(folder / "").parent_path();
    const std::string name = whole.filename().string(), parent = whole.parent_path().filename().string();
    return name == "model" && !parent.empty() ? parent : name;
}

ModelFolder describeModelFolder(const std::filesystem::path& given) try {
    std::filesystem::path folder = std::filesystem::absolute(given).lexically_normal();
    if (folder.filename().empty()) // "model/" ends in an empty name
        folder = folder.parent_path();
    if (!std::filesystem::is_directory(folder))
        throw Error("model.missing", given.string() + " is not a folder.", {{"folder", given.string()}});
    if (std::filesystem::exists(folder / "architecture.json"))
        return describeOwnFolder(folder);
    if (std::filesystem::exists(folder / "config.json"))
        return describeHuggingFace(folder);
    throw Error("model.notAModel",
                given.string() +
                    " is not a model folder: it holds neither architecture.json nor config.json.",
                {{"folder", given.string()}});
} catch (const std::filesystem::filesystem_error& error) { // no right to look into it, a loop of links …
    throw Error("model.unreadable", given.string() + " cannot be read: " + error.code().message() + ".",
                {{"folder", given.string()}});
}

void checkTokenizer(const ModelFolder& model) {
    if (model.tokenizer.empty())
        return;
    try {
        const Tokenizer tokenizer(model.tokenizer);
        if (tokenizer.size() != model.architecture.vocabulary)
            refuseTokenizer(model, " has " + std::to_string(tokenizer.size()) + " pieces, and " +
                                       shown(model.config) + " asks for " +
                                       std::to_string(model.architecture.vocabulary));
        const std::filesystem::path table = model.folder / "vocab.json";
        if (model.isOurs || !std::filesystem::exists(table))
            return;
        const JsonFile vocabulary(table);
        for (int id = 0; id < tokenizer.size(); ++id) {
            const std::string piece = tokenizer.piece(id);
            if (!vocabulary.has(piece.c_str()) || vocabulary.value(piece.c_str()) != id)
                refuseTokenizer(model, ": piece " + std::to_string(id) + " is “" + piece + "”, and " +
                                           vocabulary.name() + " numbers it otherwise");
        }
    } catch (const Error& error) {
        if (error.code().rfind("model.", 0) == 0)
            throw;
        throw Error("model.tokenizer", error.what(), error.values());
    }
}

void checkRunnable(const ModelFolder& model) {
    const Architecture& architecture = model.architecture;
    const std::string file = shown(model.config);
    const auto refuse = [&](const std::string& what) {
        throw Error("model.unsupported", file + ": " + what + ".", {{"file", file}});
    };
    const Architecture::Encoder& encoder = architecture.encoder;
    if (architecture.frontEnd.kind != "conv1d")
        refuse("the front end is “" + architecture.frontEnd.kind + "”; this version runs conv1d");
    if (encoder.kind != "transformer" || encoder.norm != "pre" || encoder.positions != "sinusoidal" ||
        encoder.activation != "relu")
        refuse("the encoder is “" + encoder.kind + "”, norm “" + encoder.norm + "”, positions “" +
               encoder.positions + "”, activation “" + encoder.activation +
               "”; this version runs transformer, pre, sinusoidal, relu");
    if (architecture.ctc)
        refuse("it has a CTC output, which this version does not run");
    int number = 0;
    for (const Architecture::Layer& layer : encoder.layers)
        headWindows(layer, ++number, file);
    if (!architecture.decoder)
        return;
    const Architecture::Decoder& decoder = *architecture.decoder;
    int selfHeads = 0, crossHeads = 0;
    for (const HeadGroup& group : decoder.selfAttention)
        selfHeads += group.count;
    for (const HeadGroup& group : decoder.crossAttention)
        crossHeads += group.count;
    if (!onlyHolds(decoder.selfAttention, HeadKind::Masked) ||
        !onlyHolds(decoder.crossAttention, HeadKind::Full) || selfHeads != crossHeads ||
        decoder.width != encoder.width)
        refuse("this version runs decoders of the encoder's width with as many masked as full "
               "cross-attention heads");
}

Checkpoint readCheckpoint(const std::filesystem::path& path) {
    Checkpoint result;
    result.folder = describeModelFolder(path);
    const ModelFolder& model = result.folder;
    checkRunnable(model);
    checkTokenizer(model);

    ModelInfo& info = result.info;
    info.report.assumed = model.assumed;
    const std::vector<ExpectedTensor> expected = expectedTensors(model.architecture, model.tied);
    const Safetensors weights = openWeights(model.weights);
    const std::string file = shown(model.weights);
    // A tied model's file may repeat the embedding under the projection's name.
    std::vector<ExpectedTensor> inFile = expected;
    if (model.tied && weights.contains("lm_head.weight")) {
        inFile = expectedTensors(model.architecture, false);
        info.report.assumed.push_back(file + ": lm_head.weight is not used, " + shown(model.config) +
                                      " ties the output projection to the embedding.");
    }
    checkWeights(weights, inFile, file, shown(model.config), info.report);
    result.parameters = loadWeights(weights, expected, file);

    info.name = nameOfModel(model.folder);
    info.folder = model.folder;
    info.architecture = model.architecture;
    info.clock = model.architecture.frontEnd.clock();
    info.maxSourceFrames = model.maxSourceFrames;
    info.maxTargetTokens = model.maxTargetTokens;
    info.parameters = result.parameters.elementCount();
    info.tensors = result.parameters.tensorCount();
    info.storedAs = storedAs(weights, expected);
    info.weightsHash = sha256OfFile(model.weights);
    info.tokenizer = model.tokenizer;
    return result;
}

} // namespace headroom::models
