// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/checkpoint.h"

#include "core/tensors/sha256.h"
#include "models/attention/attention_plan.h"
#include "models/checkpoints/fairseq_names.h"
#include "models/checkpoints/weights.h"

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
            maskedAttentionPlan(language.selfAttention, language.width, language.norm == NormPlace::Post, file);
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

NamedTensors modelWeights(const ModelFolder& model) {
    const NamedTensors weights = openWeights(model.weights);
    return model.isFairseq ? fromFairseqNames(weights, model.tied, shown(model.weights)) : weights;
}

Checkpoint readCheckpoint(const std::filesystem::path& path, const std::filesystem::path& tokenizer) {
    Checkpoint result;
    result.folder = describeModelFolder(path);
    if (!tokenizer.empty())
        result.folder.tokenizer = tokenizer;
    const ModelFolder& model = result.folder;
    checkRunnable(model);
    checkTokenizer(model);

    ModelInfo& info = result.info;
    info.report.assumed = model.assumed;
    const std::vector<ExpectedTensor> expected = expectedTensors(model.architecture, model.tied);
    const NamedTensors weights = modelWeights(model);
    const std::string file = shown(model.weights);
    // A tied model's file may repeat the embedding under the projection's name.
    std::vector<ExpectedTensor> inFile = expected;
    if (model.tied && weights.contains("lm_head.weight")) {
        inFile.push_back(
            {"lm_head.weight", {model.architecture.vocabulary, model.architecture.decoder->width}});
        info.report.assumed.push_back(file + ": lm_head.weight is not used, " + shown(model.config) +
                                      " ties the output projection to the embedding.");
    }
    const std::string asks = model.isFairseq ? "the configuration in it" : shown(model.config);
    checkWeights(weights, inFile, file, asks, info.report);
    result.parameters = loadWeights(weights, expected, file);

    info.name = nameOfModel(model.isFairseq ? model.weights : model.folder);
    info.folder = model.folder;
    info.architecture = model.architecture;
    info.clock = model.architecture.frontEnd.clock();
    info.maxSourceFrames = model.maxSourceFrames;
    info.maxTargetTokens = model.maxTargetTokens;
    info.parameters = result.parameters.elementCount();
    info.tensors = result.parameters.tensorCount();
    info.storedAs = storedAs(weights, expected);
    if (info.storedAs.find("float64") != std::string::npos)
        info.report.assumed.push_back(
            file + " contains float64 numbers, which are rounded to float32 when loaded.");
    info.weightsHash = sha256OfFile(model.weights);
    info.tokenizer = model.tokenizer;
    return result;
}

} // namespace headroom::models
