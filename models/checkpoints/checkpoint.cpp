// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/checkpoint.h"

#include "core/errors/display_name.h"
#include "core/runs/run_folder.h"
#include "models/attention/attention_plan.h"
#include "models/checkpoints/fairseq_names.h"
#include "models/checkpoints/weights.h"
#include "models/contributions/memory.h"

#include <algorithm>
#include <future>

namespace headroom::models {
void checkRunnable(const ModelFolder& model) {
    const Architecture& architecture = model.architecture;
    const std::string file = shown(model.config);
    const auto refuse = [&](const std::string& what) {
        throw Error("model.unsupported", file + ": " + what + ".", {{"file", file}});
    };
    if (architecture.languageModel) {
        const Architecture::LanguageModel& language = *architecture.languageModel;
        if (language.kind != LanguageModelKind::Lstm)
            languageModelPlans(language, file);
        return;
    }
    attentionPlans(architecture.encoder, file);
    if (!architecture.decoder)
        return;
    const Architecture::Decoder& decoder = *architecture.decoder;
    const bool postNorm = decoder.norm == NormPlace::Post;
    maskedAttentionPlan(decoder.selfAttention, decoder.width, postNorm, file);
    crossAttentionPlan(decoder.crossAttention, decoder.width, postNorm, file);
    if (architecture.ctc && *architecture.ctc != architecture.vocabulary)
        refuse("its CTC output has " + std::to_string(*architecture.ctc) + " labels and its decoder " +
               std::to_string(architecture.vocabulary) + "; this version runs both over one vocabulary");
}

namespace {

/// The expected tensors under their names in the file, for messages that a reader can follow.
std::vector<ExpectedTensor> inFile(const NameRules& rules, std::vector<ExpectedTensor> expected) {
    for (ExpectedTensor& tensor : expected)
        tensor.name = nameInFile(rules, tensor.name);
    return expected;
}

/// Without what plays no part in the encoder and its outputs; one sentence says what that was, but for a transducer's.
NamedTensors withoutLeftOut(const NamedTensors& weights, const ModelFolder& model, bool transducer,
                            std::vector<std::string>& assumed) {
    NamedTensors kept(weights.owner(), weights.format());
    std::string first;
    std::size_t count = 0;
    for (const std::string& name : weights.names()) {
        const auto isBeginning = [&](const std::string& part) { return name.starts_with(part); };
        const auto isEnd = [&](const std::string& part) { return name.ends_with(part); };
        const auto &beginnings = model.names.leftOut, &ends = model.names.leftOutEndings;
        if (std::none_of(beginnings.begin(), beginnings.end(), isBeginning) &&
            std::none_of(ends.begin(), ends.end(), isEnd)) {
            kept.add(name, weights.tensor(name));
            continue;
        }
        if (transducer && isOfTransducer(name))
            continue;
        first += (count < 4 ? (count == 0 ? "" : ", ") + name : "");
        ++count;
    }
    if (count > 0)
        assumed.push_back(shown(model.weights) + " has tensors that play no part in the network and were left "
                                                 "out: " +
                          first + (count > 4 ? " and " + std::to_string(count - 4) + " more" : "") + ".");
    return kept;
}

/// Under our names; what is missing is missing there too.
NamedTensors renamed(const NamedTensors& weights, const ModelFolder& model) {
    NamedTensors result(weights.owner(), weights.format());
    for (const ExpectedTensor& tensor : expectedTensors(model.architecture, model.tied))
        if (const std::string name = nameInFile(model.names, tensor.name); weights.contains(name))
            result.add(tensor.name, weights.tensor(name));
    return result;
}

/// The file of one of our tensors and its name there, for a message.
std::pair<std::string, std::string> placeInFile(const ModelFolder& model, const std::string& ours) {
    std::string name = nameInFile(model.names, ours);
    if (model.isFairseq) {
        const NamedTensors weights = weightsInFile(model);
        for (const std::string& theirs : weights.names())
            if (fromFairseqName(theirs) == ours)
                name = theirs;
    }
    const bool above = !model.overlay.empty() && openWeights(model.overlay).contains(name);
    return {shown(above ? model.overlay : model.weights), name};
}

/// A file of a language has the adapters of every layer and the output, and nothing else: what it lacked would
/// silently be another language's.
void checkOverlay(const ModelFolder& model) {
    if (model.overlay.empty())
        return;
    std::vector<ExpectedTensor> expected;
    for (ExpectedTensor& tensor : expectedTensors(model.architecture, model.tied))
        if (tensor.name.starts_with("ctc.") ||
            (tensor.name.starts_with("model.encoder.layers.") && tensor.name.find(".adapter.") != std::string::npos))
            expected.push_back(std::move(tensor));
    LoadReport report;
    checkWeights(openWeights(model.overlay), inFile(model.names, std::move(expected)), shown(model.overlay), "the model with these adapters", report);
}

} // namespace

NamedTensors modelWeights(const ModelFolder& model) {
    const NamedTensors weights = weightsInFile(model);
    if (model.isFairseq) {
        std::vector<std::string> repeated;
        if (model.tied)
            repeated.emplace_back("lm_head.weight");
        if (model.architecture.frontEnd.kind == FrontEndKind::Text && model.architecture.frontEnd.vocabulary == 0)
            repeated.emplace_back("model.encoder.embed_tokens.weight");
        return fromFairseqNames(weights, repeated, shown(model.weights));
    }
    return model.names.areOurs() ? weights : renamed(weights, model);
}

Checkpoint readCheckpoint(const std::filesystem::path& path, const std::filesystem::path& tokenizer,
                          const std::function<void(const std::string&)>& say) {
    Checkpoint result;
    result.folder = describeModelFolder(path);
    if (!tokenizer.empty())
        result.folder.tokenizer = tokenizer;
    const ModelFolder& model = result.folder;
    checkRunnable(model);
    checkOverlay(model);
    checkTokenizer(model);

    ModelInfo& info = result.info;
    info.report.assumed = model.assumed;
    const std::vector<ExpectedTensor> expected = expectedTensors(model.architecture, model.tied);
    const std::string file = shown(model.weights);
    NamedTensors weights = model.names.areOurs() ? modelWeights(model) : weightsInFile(model);
    if (!model.names.areOurs()) {
        result.transducer = readTransducer(model, weights);
        weights = withoutLeftOut(weights, model, result.transducer.has_value(), info.report.assumed);
    }
    // A tied model's file may repeat the embedding under the projection's name.
    std::vector<ExpectedTensor> stored = inFile(model.names, expected);
    if (model.tied && model.architecture.decoder && weights.contains("lm_head.weight")) {
        stored.push_back(
            {"lm_head.weight", {model.architecture.vocabulary, model.architecture.decoder->width}});
        info.report.assumed.push_back(file + ": lm_head.weight is not used, " + shown(model.config) +
                                      " ties the output projection to the embedding.");
    }
    const std::string asks = model.isFairseq ? "the configuration in it" : shown(model.config);
    checkWeights(weights, stored, file, asks, info.report);
    const NamedTensors ours =
        model.names.areOurs() ? weights : renamed(weights, model);
    const std::int64_t needed = bytesToLoad(ours, expected), available = freeMemory();
    constexpr std::int64_t kWorthSaying = 1'000'000'000;
    if (say && available >= 0 && needed >= kWorthSaying)
        say("Opening " + file + " takes " + bytesText(needed) + " of memory; " + bytesText(available) + " is free.");
    refuseWeightsThatDoNotFit(needed, file, available);
    // Beside the copying: of a file of 1.2 GB the hash takes about as long.
    std::future<std::string> hash = std::async(std::launch::async, [&model] { return hashOfWeights(model); });
    result.parameters = loadWeights(ours, expected, [&](const std::string& name) { return placeInFile(model, name); });

    const bool isFile = model.isFairseq || model.weights.extension() == ".nemo"; // which stands for itself
    info.name = nameOfModel(isFile ? model.weights : model.isInLanguage ? model.overlay : model.folder);
    if (const std::string ofRun = nameOfResult(model.folder, model.architecture.name); !ofRun.empty())
        info.name = validText(ofRun); // as people call it, not by the folder of its run
    info.folder = model.folder;
    info.architecture = model.architecture;
    info.clock = model.architecture.frontEnd.clock();
    info.maxSourceFrames = model.maxSourceFrames;
    info.maxTargetTokens = model.maxTargetTokens;
    info.tokens = model.tokens;
    info.parameters = result.parameters.elementCount();
    info.tensors = result.parameters.tensorCount();
    info.storedAs = storedAs(ours, expected);
    if (info.storedAs.find("float64") != std::string::npos)
        info.report.assumed.push_back(
            file + " contains float64 numbers, which are rounded to float32 when loaded.");
    info.weightsHash = hash.get();
    info.tokenizer = model.tokenizer;
    info.sourceTokenizer = model.architecture.frontEnd.vocabulary > 0 || !model.sourceTokenizer.empty() ? model.sourceTokenizer
                                                                                                        : model.tokenizer;
    if (result.transducer) {
        info.tokenizer = result.transducer->tokenizer;
        info.report.assumed.insert(info.report.assumed.end(), result.transducer->assumed.begin(),
                                   result.transducer->assumed.end());
    }
    return result;
}

} // namespace headroom::models
