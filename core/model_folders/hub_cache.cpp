// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model_folders/hub_cache.h"

#include "core/errors/display_name.h"
#include "core/errors/error.h"
#include "core/model_folders/espnet_weights.h"
#include "core/model_folders/model_kind.h"
#include "core/tensors/safetensors.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

namespace headroom {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view kModels = "models--";
constexpr std::uintmax_t kLargestText = 10'000'000; // config.json and indices; weights are never read

fs::path fromEnvironment(const char* name) {
    const char* value = std::getenv(name);
    return value ? fs::path(value) : fs::path();
}

/// An object, or null where the file is missing, large or no JSON.
json readSmallJson(const fs::path& file) {
    std::error_code failure;
    if (const auto size = fs::file_size(file, failure); failure || size > kLargestText)
        return {};
    std::ifstream stream(file, std::ios::binary);
    json document = json::parse(stream, nullptr, false);
    return document.is_object() ? document : json();
}

std::string textIn(const json& object, const char* key) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found != object.end() && found->is_string() ? validText(found->get<std::string>()) : std::string();
}

/// "models--ORG--NAME" → "ORG/NAME".
std::string repositoryName(const std::string& folder) {
    std::string name = folder.substr(kModels.size());
    if (const auto slash = name.find("--"); slash != std::string::npos)
        name.replace(slash, 2, "/");
    return validText(name);
}

std::vector<fs::path> snapshotsIn(const fs::path& repository) {
    std::vector<fs::path> snapshots;
    std::error_code failure;
    for (fs::directory_iterator entry(repository / "snapshots", failure), end; !failure && entry != end;
         entry.increment(failure))
        if (std::error_code ignored; entry->is_directory(ignored))
            snapshots.push_back(entry->path());
    return snapshots;
}

/// The snapshot of refs/main. Empty: there is none.
fs::path mainSnapshot(const fs::path& repository) {
    std::error_code failure;
    std::ifstream stream(repository / "refs" / "main");
    std::string hash;
    stream >> hash;
    const bool named = !hash.empty() && fs::path(hash).filename() == hash && fs::is_directory(repository / "snapshots" / hash, failure);
    return named ? repository / "snapshots" / hash : fs::path();
}

/// The snapshot of refs/main; else the one that was changed last. Empty: there is none.
fs::path snapshotOf(const fs::path& repository) {
    if (fs::path main = mainSnapshot(repository); !main.empty())
        return main;
    fs::path newest;
    fs::file_time_type time;
    for (const fs::path& snapshot : snapshotsIn(repository)) {
        std::error_code ignored;
        const auto changed = fs::last_write_time(snapshot, ignored);
        if (newest.empty() || changed > time) {
            newest = snapshot;
            time = changed;
        }
    }
    return newest;
}

std::int64_t bytesIn(const fs::path& folder) {
    std::int64_t bytes = 0;
    std::error_code failure;
    for (fs::recursive_directory_iterator entry(folder, failure), end; !failure && entry != end;
         entry.increment(failure)) {
        std::error_code ignored;
        const auto size = entry->is_regular_file(ignored) ? entry->file_size(ignored) : 0; // follows links
        if (!ignored)
            bytes += static_cast<std::int64_t>(size);
    }
    return bytes;
}

/// Whether a safetensors file ends before its last tensor. Reads the header alone. What else is wrong with it, opening it says.
bool isCutShort(const fs::path& file) try {
    const Safetensors whole(file);
    return false;
} catch (const Error& error) {
    return error.code() == "tensors.truncated";
}

/// The first file of the weights that is missing; empty: none is. A link to a blob that is gone is missing.
std::string missingWeights(const fs::path& snapshot) {
    std::error_code ignored;
    for (const char* name : {"model.safetensors", "pytorch_model.bin"})
        if (fs::exists(snapshot / name, ignored))
            return {};
    for (const char* name : {"model.safetensors.index.json", "pytorch_model.bin.index.json"}) {
        if (!fs::exists(snapshot / name, ignored))
            continue;
        const json index = readSmallJson(snapshot / name);
        const auto map = index.is_object() ? index.find("weight_map") : index.end();
        if (map == index.end() || !map->is_object())
            return name;
        for (const auto& [tensor, file] : map->items())
            if (!file.is_string() || !fs::exists(snapshot / file.get<std::string>(), ignored))
                return file.is_string() ? validText(file.get<std::string>()) : name;
        return {};
    }
    return "model.safetensors";
}

/// The bytes of the files that are opened: the first form that is there, as models/checkpoints chooses it.
std::int64_t weightBytes(const fs::path& snapshot) {
    for (const std::string name : {"model.safetensors", "pytorch_model.bin"}) {
        std::error_code failure;
        if (const auto size = fs::file_size(snapshot / name, failure); !failure)
            return static_cast<std::int64_t>(size);
        const json index = readSmallJson(snapshot / (name + ".index.json"));
        const auto map = index.is_object() ? index.find("weight_map") : index.end();
        if (map == index.end() || !map->is_object())
            continue;
        std::set<std::string> parts;
        for (const auto& [tensor, file] : map->items())
            if (file.is_string())
                parts.insert(file.get<std::string>());
        std::int64_t bytes = 0;
        for (const std::string& part : parts)
            if (const auto size = fs::file_size(snapshot / part, failure); !failure)
                bytes += static_cast<std::int64_t>(size);
        return bytes;
    }
    return 0;
}

/// The same numbers in float32.
std::int64_t openedBytes(const fs::path& snapshot, const json& config) {
    const std::string named = textIn(config, "dtype"), type = named.empty() ? textIn(config, "torch_dtype") : named;
    const bool half = type.find("float16") != std::string::npos; // bfloat16 too
    return weightBytes(snapshot) * (half ? 2 : 1);
}

/// The value of a plain key at the left edge of a YAML file, "conformer" of "encoder: conformer"; empty: there is none.
std::string plainValue(const fs::path& file, const std::string& key) {
    std::error_code failure;
    if (const auto size = fs::file_size(file, failure); failure || size > kLargestText)
        return {};
    std::ifstream stream(file, std::ios::binary);
    for (std::string line; std::getline(stream, line);)
        if (line.starts_with(key + ": ")) {
            std::string value = line.substr(key.size() + 2);
            value.erase(value.find_last_not_of(" \r\t") + 1);
            return validText(value);
        }
    return {};
}

/// The training of a speech recogniser in a repository of ESPnet's: exp/NAME with config.yaml, whose “encoder” and
/// “frontend” are set, and weights beside it. Language models and vocoders have none of these.
std::optional<CachedModel> espnetModelIn(const CachedModel& repository) {
    std::vector<fs::path> trainings;
    std::error_code failure;
    for (fs::directory_iterator entry(repository.snapshot / "exp", failure), end; !failure && entry != end;
         entry.increment(failure))
        trainings.push_back(entry->path());
    std::sort(trainings.begin(), trainings.end());
    for (const fs::path& training : trainings) {
        const fs::path config = training / "config.yaml", weights = espnetWeightsIn(training).file;
        const std::string encoder = plainValue(config, "encoder"), frontEnd = plainValue(config, "frontend");
        if (weights.empty() || encoder.empty() || frontEnd.empty() || frontEnd == "null")
            continue;
        CachedModel model = repository;
        model.snapshot = training;
        model.family = "ESPnet";
        model.bytes = bytesIn(repository.snapshot);
        model.memory = static_cast<std::int64_t>(fs::file_size(weights, failure));
        if (encoder != "conformer" && encoder != "branchformer" && encoder != "e_branchformer")
            model.reason = model.name + " has an encoder of ESPnet of the kind " + encoder +
                           "; Headroom opens conformer, branchformer and e_branchformer.";
        else if (frontEnd != "default")
            model.reason = model.name + " reads the features “" + frontEnd +
                           "”; of ESPnet's front ends Headroom computes those of “default”.";
        return model;
    }
    return std::nullopt;
}

/// An adapter of a speech model of a known family, by the name of that model.
bool isSpeechAdapter(const json& adapter) {
    const std::string base = textIn(adapter, "base_model_name_or_path");
    for (const char* word : {"whisper", "wav2vec2", "hubert", "wavlm", "data2vec-audio", "w2v-bert", "parakeet", "s2t-"})
        if (base.find(word) != std::string::npos)
            return true;
    return false;
}

std::optional<CachedModel> modelIn(const fs::path& repository) {
    CachedModel model;
    model.name = repositoryName(repository.filename().string());
    model.snapshot = snapshotOf(repository);
    if (model.snapshot.empty())
        return std::nullopt;
    const json config = readSmallJson(model.snapshot / "config.json");
    const std::string type = textIn(config, "model_type"), other = otherFormat(model.snapshot);
    if (type.empty()) {
        if (const fs::path archive = onlyArchive(model.snapshot); !archive.empty()) {
            std::error_code ignored;
            model.family = "NeMo";
            model.bytes = bytesIn(model.snapshot);
            model.memory = static_cast<std::int64_t>(fs::file_size(archive, ignored)); // in float32, as NeMo saves
            return model;
        }
        if (auto espnet = espnetModelIn(model))
            return espnet;
        // Other programs name no type. Of them only those are listed that hold nothing but speech models.
        const bool adapter = isSpeechAdapter(readSmallJson(model.snapshot / "adapter_config.json"));
        const bool speech = other.find("faster-whisper") != std::string::npos || other.find("NeMo") != std::string::npos;
        if (!adapter && !speech)
            return std::nullopt;
        model.reason = adapter ? model.name + " contains only an adapter for another model. Merge it into that model, "
                                              "and open the result."
                               : model.name + " holds " + other + ".";
        model.bytes = bytesIn(model.snapshot);
        return model;
    }
    std::string modelClass;
    if (const auto found = config.find("architectures");
        found != config.end() && found->is_array() && !found->empty() && found->front().is_string())
        modelClass = found->front().get<std::string>();
    const ModelKind kind = modelKind(type, modelClass);
    if (kind.reads != ModelKind::Reads::Speech)
        return std::nullopt;
    model.bytes = bytesIn(model.snapshot);
    model.family = kind.family.empty() ? type : kind.family;
    model.memory = openedBytes(model.snapshot, config);
    const auto quantised = config.find("quantization_config");
    const std::string missing = missingWeights(model.snapshot);
    if (kind.family.empty())
        model.reason = model.name + " is " + kind.text() + ".";
    else if (quantised != config.end() && !quantised->is_null())
        model.reason = model.name + " has quantised weights. Save the model in float16 or float32, and open that.";
    else if (!missing.empty() && !other.empty())
        model.reason = model.name + " holds " + other + ".";
    else if (!missing.empty())
        model.reason = model.name + " is not downloaded completely: " + missing + " is missing. Download it again.";
    else if (isCutShort(model.snapshot / "model.safetensors"))
        model.reason = model.name + " is not downloaded completely: model.safetensors ends too early. Download it again.";
    return model;
}

} // namespace

bool isRepository(const fs::path& folder) {
    std::error_code ignored;
    return folder.filename().string().starts_with(kModels) && fs::is_directory(folder / "snapshots", ignored);
}

fs::path modelFolderIn(const fs::path& folder) try {
    if (!isRepository(folder))
        return folder;
    CachedModel model;
    model.snapshot = mainSnapshot(folder);
    if (const auto all = snapshotsIn(folder); model.snapshot.empty() && all.size() == 1)
        model.snapshot = all.front();
    if (model.snapshot.empty())
        return folder;
    std::error_code ignored;
    const bool mayBeEspnet = !fs::exists(model.snapshot / "config.json", ignored) && onlyArchive(model.snapshot).empty();
    const auto training = mayBeEspnet ? espnetModelIn(model) : std::nullopt;
    return training ? training->snapshot : model.snapshot;
} catch (const std::exception&) {
    return folder; // a folder that cannot be read is refused where it is opened
}

fs::path hubCacheFolder() {
    if (const fs::path own = fromEnvironment("HF_HUB_CACHE"); !own.empty())
        return own;
    if (const fs::path home = fromEnvironment("HF_HOME"); !home.empty())
        return home / "hub";
    if (const fs::path caches = fromEnvironment("XDG_CACHE_HOME"); !caches.empty())
        return caches / "huggingface" / "hub";
    const fs::path home = fromEnvironment("HOME");
    return home.empty() ? fs::path() : home / ".cache" / "huggingface" / "hub";
}

std::vector<CachedModel> cachedSpeechModels(const fs::path& cache) {
    std::vector<CachedModel> models;
    std::error_code failure;
    for (fs::directory_iterator entry(cache, failure), end; !failure && entry != end; entry.increment(failure)) {
        std::error_code ignored;
        if (!entry->path().filename().string().starts_with(kModels) || !entry->is_directory(ignored))
            continue;
        try {
            if (auto model = modelIn(entry->path()))
                models.push_back(std::move(*model));
        } catch (const std::exception&) { // left out: a folder that cannot be read is no model to offer
        }
    }
    std::sort(models.begin(), models.end(),
              [](const CachedModel& a, const CachedModel& b) { return a.name < b.name; });
    return models;
}

} // namespace headroom
