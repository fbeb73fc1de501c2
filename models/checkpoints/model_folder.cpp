// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/model_folder.h"

#include "core/errors/display_name.h"
#include "core/errors/error.h"
#include "core/errors/whole_path.h"
#include "core/model_folders/hub_cache.h"
#include "core/model_folders/language_adapter.h"
#include "core/model_folders/model_kind.h"
#include "models/checkpoints/torch_checkpoint.h"
#include "models/checkpoints/weights.h"

#include <algorithm>
#include <vector>

namespace headroom::models {
namespace {

namespace fs = std::filesystem;

bool isFileOfWeights(const fs::path& path) {
    for (const char* ending : {".safetensors", ".bin", ".pt", ".pth", ".ckpt", ".nemo"})
        if (path.extension() == ending)
            return true;
    return false;
}

ModelFolder describeFile(const fs::path& file) {
    if (file.extension() == ".nemo")
        return describeNemo(file);
    const fs::path folder = file.parent_path();
    if (file.extension() == ".safetensors" && fs::exists(folder / "architecture.json"))
        return describeOwnFolder(folder);
    if (file.extension() == ".pth" && !fs::exists(folder / "config.json") && isEspnetFolder(folder))
        return describeEspnet(folder, file);
    if (file.extension() != ".safetensors" && openTorchCheckpoint(file).isFairseq())
        return describeFairseq(file);
    if (!fs::exists(folder / "config.json"))
        throw Error("model.missingFile",
                    shown(file) + " contains only weights, and there is no config.json beside it that "
                                  "describes "
                                  "the model.",
                    {{"file", file.string()}});
    return describeHuggingFace(folder, file);
}

/// The only *.pt or *.nemo of a folder; empty where there is none or more than one.
fs::path onlyCheckpoint(const fs::path& folder) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder))
        if ((entry.path().extension() == ".pt" || entry.path().extension() == ".nemo") && entry.is_regular_file())
            found.push_back(entry.path());
    return found.size() == 1 ? found.front() : fs::path();
}

/// A run's folder has an architecture.json too; its model lies in model/.
bool isRunFolder(const fs::path& folder) {
    return fs::exists(folder / "run.json") && !fs::exists(folder / "model.safetensors") &&
           !fs::exists(folder / "config.json");
}

ModelFolder describeRun(const fs::path& run, const fs::path& given) {
    if (!fs::exists(run / "model" / "architecture.json"))
        throw Error("model.unfinishedRun",
                    given.string() + " is a run without a finished model: there is no model folder " +
                        (run / "model").string() + ".",
                    {{"folder", given.string()}});
    return describeOwnFolder(run / "model");
}

} // namespace

std::string nameOfModel(const fs::path& path) {
    const fs::path whole = fs::absolute(path / "").parent_path();
    std::string name = folderName(whole);
    const std::string parent = whole.parent_path().filename().string();
    if (const std::string language = languageOfAdapter(whole); !language.empty())
        return nameOfModel(whole.parent_path()) + " " + language;
    if (isFileOfWeights(whole) && fs::is_regular_file(whole)) {
        name = whole.stem().string();
        if (name == "model" || name == "pytorch_model" || name.starts_with("checkpoint") ||
            name.starts_with("avg"))
            return nameOfModel(whole.parent_path());
        return name;
    }
    return name == "model" && !parent.empty() ? parent : name;
}

void refuseAdapter(const fs::path& folder) {
    throw Error("model.adapterOnly",
                folderName(folder) + " contains only an adapter for another model (adapter_config.json). Merge it "
                                      "into that model, and open the result.",
                {{"folder", folder.string()}});
}

std::string nameInFile(const NameRules& rules, std::string name) {
    for (const auto& [ours, theirs] : rules.replacements)
        if (const auto place = name.find(ours); place != std::string::npos)
            name.replace(place, ours.size(), theirs);
    return name;
}

fs::path modelInLanguage(const fs::path& model, const std::string& language) {
    const std::vector<std::string> known = adapterLanguages(model);
    if (language.empty() || known.empty())
        return model;
    if (std::find(known.begin(), known.end(), language) != known.end())
        return adapterOf(model, language);
    constexpr std::size_t kShown = 60;
    std::string list;
    for (std::size_t i = 0; i < std::min(known.size(), kShown); ++i)
        list += (i == 0 ? "" : ", ") + known[i];
    if (known.size() > kShown)
        list += " and " + std::to_string(known.size() - kShown) + " more";
    throw Error("model.noSuchLanguage",
                folderName(model) + " has no adapters of the language “" + language.substr(0, 40) +
                    "”; it has those of " + list + ".",
                {{"language", language}, {"languages", known}});
}

std::string sourceKind(const ModelFolder& model) {
    if (model.weights.extension() == ".nemo")
        return "NeMo";
    if (model.config.extension() == ".yaml")
        return "ESPnet";
    return model.isOurs ? "Headroom" : model.isFairseq ? "fairseq" : "Hugging Face " + model.family;
}

ModelFolder describeModelFolder(const fs::path& given) try {
    fs::path path = wholePath(given);
    if (isFileOfWeights(path) && fs::is_regular_file(path))
        return describeFile(path);
    if (!fs::is_directory(path))
        throw Error("model.missing",
                    given.string() +
                        (fs::exists(path) ? " is neither a folder nor a file of weights." : " does not exist."),
                    {{"folder", given.string()}});
    if (isRepository(path)) {
        const fs::path snapshot = modelFolderIn(path);
        if (snapshot == path)
            throw Error("model.notAModel",
                        given.string() + " is a model of the Hugging Face cache whose refs/main names none of the folders in snapshots. Choose "
                                         "one of those folders.",
                        {{"folder", given.string()}});
        path = snapshot;
    }
    if (isRunFolder(path))
        return describeRun(path, given);
    if (fs::exists(path / "architecture.json"))
        return describeOwnFolder(path);
    if (fs::exists(path / "config.json"))
        return describeHuggingFace(path);
    if (isEspnetFolder(path))
        return describeEspnet(path);
    if (fs::exists(path / "adapter_config.json"))
        refuseAdapter(path);
    if (fs::exists(path / "model_index.json"))
        throw Error("model.unsupported",
                    given.string() + " is a pipeline that generates (model_index.json), not a speech model.",
                    {{"folder", given.string()}});
    if (const fs::path checkpoint = onlyCheckpoint(path); !checkpoint.empty())
        return describeFile(checkpoint);
    if (const std::string other = otherFormat(path); !other.empty())
        throw Error("model.otherFormat", given.string() + " contains " + other + ".", {{"folder", given.string()}});
    throw Error("model.notAModel",
                given.string() +
                    " is not a model folder: it has neither architecture.json nor config.json, "
                    "and no single *.pt or *.nemo.",
                {{"folder", given.string()}});
} catch (const fs::filesystem_error& error) { // no right to look into it, a loop of links …
    throw Error("model.unreadable", given.string() + " cannot be read: " + error.code().message() + ".",
                {{"folder", given.string()}});
}

} // namespace headroom::models
