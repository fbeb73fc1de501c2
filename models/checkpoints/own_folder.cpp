// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/features/kaldi_pitch.h"
#include "core/text/tokenizer.h"
#include "models/checkpoints/generation_config.h"
#include "models/checkpoints/json_file.h"
#include "models/checkpoints/model_folder.h"
#include "models/checkpoints/weights.h"

namespace headroom::models {
namespace {

using nlohmann::json;

json subsamplingOf(const Architecture& architecture) {
    json list = json::array();
    for (std::size_t i = 0; i < architecture.frontEnd.kernels.size(); ++i) {
        list.push_back({{"kernel", architecture.frontEnd.kernels[i]},
                        {"stride", architecture.frontEnd.strides[i]},
                        {"padding", architecture.frontEnd.padding(i)}});
    }
    return list;
}

json featuresOf(const Architecture& architecture) {
    if (architecture.frontEnd.reads == InputKind::Waveform)
        return {{"kind", wordOf(InputKind::Waveform)},
                {"sampleRate", kModelSampleRate.hertz()},
                {"normalised", architecture.frontEnd.normalised}};
    if (architecture.frontEnd.reads == InputKind::Text)
        return {{"kind", wordOf(InputKind::Text)}};
    json features = {{"kind", wordOf(architecture.frontEnd.reads)},
                     {"bins", architecture.frontEnd.features},
                     {"sampleRate", 16000},
                     {"frameSeconds", 0.025},
                     {"stepSeconds", 0.01}};
    if (architecture.frontEnd.reads == InputKind::KaldiLogMel && architecture.frontEnd.features == LogMelFilterbank::kBins + kPitchFeatures) {
        features["bins"] = LogMelFilterbank::kBins;
        features["pitch"] = kPitchFeatures;
    }
    if (architecture.frontEnd.reads == InputKind::StackedKaldiLogMel) {
        features["bins"] = architecture.frontEnd.features / architecture.frontEnd.stacked;
        features["stacked"] = architecture.frontEnd.stacked;
        features["paddingValue"] = architecture.frontEnd.paddingValue;
    }
    if (architecture.frontEnd.reads == InputKind::EspnetLogMel) {
        const EspnetFrames& frames = architecture.frontEnd.frames;
        features["frameSeconds"] = kModelSampleRate.duration(Samples(frames.window)).value();
        features["stepSeconds"] = kModelSampleRate.duration(Samples(frames.hop)).value();
        features["transform"] = frames.transform;
    }
    if (architecture.frontEnd.reads == InputKind::AstLogMel)
        features["windowFrames"] = architecture.frontEnd.windowFrames;
    if (architecture.frontEnd.reads == InputKind::NemoLogMel)
        features["preEmphasis"] = architecture.frontEnd.preEmphasis;
    return features;
}

/// The Kaldi filterbank and ESPnet's are normalised bin by bin by this name; other inputs say what they do.
std::string cmvnOf(const Architecture& architecture) {
    const Architecture::FrontEnd& frontEnd = architecture.frontEnd;
    if (frontEnd.reads == InputKind::AstLogMel)
        return frontEnd.cmvn ? "global" : "none";
    if (frontEnd.reads != InputKind::KaldiLogMel && frontEnd.reads != InputKind::EspnetLogMel)
        return "none";
    if (frontEnd.cmvn)
        return "global";
    return frontEnd.reads == InputKind::KaldiLogMel || frontEnd.normalised ? "utterance" : "utterance-mean";
}

/// front_end.json, which must say what the architecture says.
void readFrontEnd(ModelFolder& model) {
    const JsonFile frontEnd(model.folder / "front_end.json");
    if (frontEnd.text("format") != "headroom/front-end" || frontEnd.integer("version", 1, 1'000'000) != 1)
        frontEnd.refuse("model.frontEnd", " is not a front end of version 1");
    const auto agrees = [&](const char* key, const json& expected) {
        if (frontEnd.value(key) != expected)
            frontEnd.refuse("model.frontEnd",
                            ": “" + std::string(key) + "” is " + frontEnd.value(key).dump().substr(0, 120) +
                                ", and " + shown(model.config) + " expects " + expected.dump(),
                            {{"key", key}});
    };
    agrees("features", featuresOf(model.architecture));
    agrees("cmvn", cmvnOf(model.architecture));
    agrees("subsampling", subsamplingOf(model.architecture));
    model.maxSourceFrames = frontEnd.integer("maxSourceFrames", 1, 100'000'000);
    model.maxTargetTokens = frontEnd.integer("maxTargetTokens", 1, 100'000'000);
}

} // namespace

std::string frontEndText(const ModelFolder& model) {
    nlohmann::ordered_json document;
    document["format"] = "headroom/front-end";
    document["version"] = 1;
    document["features"] = featuresOf(model.architecture);
    document["cmvn"] = cmvnOf(model.architecture);
    document["subsampling"] = subsamplingOf(model.architecture);
    document["maxSourceFrames"] = model.maxSourceFrames;
    document["maxTargetTokens"] = model.maxTargetTokens;
    return document.dump(2) + "\n";
}

ModelFolder describeOwnFolder(const std::filesystem::path& folder) {
    ModelFolder model;
    model.folder = folder;
    model.isOurs = true;
    model.config = folder / "architecture.json";
    try {
        model.architecture = readArchitecture(model.config);
    } catch (const Error& error) {
        throw Error("model.architecture", error.what(), error.values());
    }

    if (!model.architecture.languageModel) // it hears nothing
        readFrontEnd(model);

    model.weights = folder / "model.safetensors";
    auto& decoder = model.architecture.decoder;
    model.tied = decoder && !openWeights(model.weights).contains("lm_head.weight");
    if (model.tied && !decoder->tiedEmbeddings) {
        decoder->tiedEmbeddings = true;
        model.assumed.push_back(shown(model.weights) +
                                " has no lm_head.weight, so the embedding is the output projection.");
    }
    model.tokenizer = tokenizerIn(folder);
    if (model.tokenizer.empty())
        model.assumed.push_back(shown(folder / "sentencepiece.model") +
                                " is missing, so token ids have no text.");
    if (model.architecture.frontEnd.reads == InputKind::Text)
        model.sourceTokenizer = sourceTokenizerIn(folder);
    if (model.architecture.frontEnd.vocabulary > 0 && model.sourceTokenizer.empty())
        model.assumed.push_back(shown(folder / "source.sentencepiece.model") + " is missing, so the model cannot read text.");
    if (decoder && std::filesystem::exists(folder / "generation_config.json"))
        readTokenRules(folder, model);
    return model;
}

} // namespace headroom::models
