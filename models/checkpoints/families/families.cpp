// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/families/family.h"

#include "core/errors/display_name.h"
#include "core/model_folders/language_adapter.h"
#include "core/model_folders/model_kind.h"
#include "models/checkpoints/weights.h"

#include <algorithm>

namespace headroom::models {

const std::vector<Family>& families() {
    static const std::vector<Family> kFamilies{
        speechToTextFamily(),  wav2vec2Family(),     hubertFamily(),   wavlmFamily(),
        data2vecAudioFamily(), wav2vec2BertFamily(), parakeetFamily(), whisperFamily(),
        astFamily(),           fsmtFamily()};
    return kFamilies;
}

namespace {

namespace fs = std::filesystem;

std::string classOf(const JsonFile& config) {
    if (!config.has("architectures"))
        return {};
    const nlohmann::json& list = config.value("architectures");
    return list.is_array() && !list.empty() && list.front().is_string()
               ? list.front().get<std::string>().substr(0, 80)
               : std::string();
}

[[noreturn]] void refuseFamily(const JsonFile& config, const std::string& type) {
    std::string known;
    for (const Family& family : families())
        known += family.name + ", ";
    known += "ESPnet"; // whose folders have a config.yaml instead
    const std::string name = classOf(config), what = modelKind(type, name).text();
    config.refuse("model.unsupported",
                  " describes “" + type.substr(0, 60) + "”" + (name.empty() ? "" : " (" + name + ")") + ", " +
                      what + "; Headroom opens models of these families: " + known,
                  {{"key", "model_type"}, {"type", type}});
}

void refuseQuantised(const JsonFile& config) {
    if (!config.has("quantization_config") || config.value("quantization_config").is_null())
        return;
    const nlohmann::json& how = config.value("quantization_config");
    const std::string method = how.is_object() ? how.value("quant_method", std::string()) : std::string();
    config.refuse("model.quantised",
                  " describes quantised weights" + (method.empty() ? "" : " (" + method.substr(0, 40) + ")") +
                      "; save the model in float16 or float32, and open that",
                  {{"key", "quantization_config"}});
}

/// A configuration without “model_type” is another program's, if its files say so.
void refuseOtherFormat(const JsonFile& config, const fs::path& folder) {
    if (config.has("model_type"))
        return;
    if (const std::string other = otherFormat(folder); !other.empty())
        throw Error("model.otherFormat", folderName(folder) + " contains " + other + ".",
                    {{"folder", folder.string()}});
}

fs::path weightsIn(const fs::path& folder) {
    for (const char* name : {"model.safetensors", "pytorch_model.bin"})
        for (const fs::path& file : {folder / name, folder / (std::string(name) + ".index.json")})
            if (fs::exists(file))
                return file;
    if (fs::exists(folder / "adapter_config.json"))
        refuseAdapter(folder);
    const std::string file = (folder / "model.safetensors").string();
    if (const std::string other = otherFormat(folder); !other.empty())
        throw Error("model.otherFormat", folderName(folder) + " contains " + other + ".", {{"file", file}});
    throw Error("model.missingFile",
                shown(folder / "model.safetensors") +
                    " is missing, and there is no pytorch_model.bin either.",
                {{"file", file}});
}

/// A part of the weights stands for all of them.
fs::path wholeOf(const fs::path& weights) {
    const fs::path folder = weights.parent_path();
    const std::string name = weights.filename().string();
    for (const char* beginning : {"model", "pytorch_model"})
        if (name.starts_with(std::string(beginning) + "-0")) {
            const fs::path index = folder / (beginning + weights.extension().string() + ".index.json");
            if (fs::exists(index))
                return index;
        }
    return weights;
}

} // namespace

double dropoutOf(const JsonFile& config, const char* key, std::vector<std::string>& assumed) {
    if (config.has(key))
        return config.share(key);
    assumed.push_back(config.name() + " does not define “" + key +
                      "”; 0.1 was assumed, which matters only for training.");
    return 0.1;
}

std::optional<double> activationDropoutOf(const JsonFile& config, double dropout) {
    const char* const key = "activation_dropout";
    if (!config.has(key) || config.share(key) == dropout)
        return std::nullopt;
    return config.share(key);
}

std::vector<HeadGroup> headsOf(HeadKind kind, int count) {
    HeadGroup group;
    group.count = count;
    group.kind = kind;
    return {group};
}

int sizeIn(const JsonFile& config, const char* key) {
    // Far above any model, far below what could overflow a product of two.
    constexpr std::int64_t kLargest = 1'000'000;
    return static_cast<int>(config.integer(key, 1, kLargest));
}

ModelFolder describeHuggingFace(const fs::path& path, const fs::path& given) {
    const bool ofLanguage = !languageOfAdapter(given).empty();
    const fs::path weights = ofLanguage ? fs::path() : given, adapters = ofLanguage ? given : fs::path();
    const HuggingFaceFolder found{path, weights.empty() ? fs::path() : wholeOf(weights),
                                  JsonFile(path / "config.json"), adapters};
    refuseOtherFormat(found.config, path);
    const std::string type = found.config.text("model_type");
    const auto& known = families();
    const std::string name = modelKind(type).family;
    const auto family =
        std::find_if(known.begin(), known.end(), [&](const Family& one) { return one.name == name; });
    if (family == known.end())
        refuseFamily(found.config, type);
    refuseQuantised(found.config);
    ModelFolder model;
    model.folder = path;
    model.config = path / "config.json";
    model.weights = found.weights.empty() ? weightsIn(path) : found.weights;
    model.family = family->name;
    model.architecture.name = nameOfModel(ofLanguage ? given : path);
    model.architecture.source = "Hugging Face " + family->name;
    family->describe({path, model.weights, found.config, adapters}, model);
    model.isInLanguage = ofLanguage;
    if (ofLanguage && model.overlay != adapters)
        found.config.refuse("model.noSuchLanguage",
                            " describes a model without adapters of languages, so " + shown(adapters) +
                                " does not belong to it",
                            {{"file", adapters.string()}});
    return model;
}

} // namespace headroom::models
