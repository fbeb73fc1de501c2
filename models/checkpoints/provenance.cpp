// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/provenance.h"

#include "core/model_folders/language_adapter.h"
#include "core/tensors/sha256.h"
#include "models/checkpoints/json_file.h"
#include "models/checkpoints/weights.h"

#include <chrono>
#include <ctime>
#include <fstream>

namespace headroom::models {
namespace {

namespace fs = std::filesystem;

std::string today() {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm parts{};
    gmtime_r(&now, &parts);
    char text[sizeof "2026-11-21"];
    std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
    return text;
}

std::string licenceOnCard(const fs::path& card) {
    std::ifstream file(card);
    std::string line;
    if (!std::getline(file, line) || line != "---")
        return {};
    const std::string key = "license:";
    while (std::getline(file, line) && line != "---")
        if (line.rfind(key, 0) == 0) {
            const std::size_t start = line.find_first_not_of(" \t\"'", key.size());
            const std::size_t end = line.find_last_not_of(" \t\"'\r");
            return start == std::string::npos ? std::string() : line.substr(start, end + 1 - start);
        }
    return {};
}

/// What the source says about its own origin; null where it says nothing that can be read.
nlohmann::ordered_json earlierProvenance(const fs::path& folder) {
    const fs::path file = folder / "provenance.json";
    std::error_code problem;
    constexpr std::uintmax_t kLargest = 1 << 20;
    if (const auto size = fs::file_size(file, problem); problem || size > kLargest)
        return nullptr;
    try {
        return nlohmann::ordered_json(JsonFile(file).object());
    } catch (const Error&) {
        return nullptr;
    }
}

} // namespace

std::string licenceOf(const fs::path& folder) {
    const std::string onCard = licenceOnCard(folder / "README.md");
    if (!onCard.empty())
        return onCard;
    const auto earlier = earlierProvenance(folder);
    const auto licence = earlier.is_object() ? earlier.find("licence") : earlier.end();
    return licence != earlier.end() && licence->is_string() ? licence->get<std::string>() : std::string();
}

std::string provenanceText(const Checkpoint& model, const std::string& licence) {
    nlohmann::ordered_json document;
    document["format"] = "headroom/provenance";
    document["version"] = 1;
    document["source"] = model.info.name;
    document["sourceKind"] = sourceKind(model.folder);
    document["file"] = model.folder.weights.filename().string();
    if (!model.folder.language.empty())
        document["language"] = model.folder.language;
    if (licence.empty())
        document["licence"] = nullptr;
    else
        document["licence"] = licence;
    document["storedAs"] = model.info.storedAs;
    auto& digests = document["sha256"];
    for (const fs::path& file : filesOfWeights(model.folder))
        digests[file.filename().string()] = sha256OfFile(file);
    const fs::path& tokenizer = model.info.tokenizer;
    const fs::path pieces =
        languageOfAdapter(tokenizer).empty() ? tokenizer : tokenizer.parent_path() / "vocab.json";
    for (const fs::path& file : {model.folder.config, pieces})
        if (!file.empty() && file != model.folder.weights)
            digests[file.filename().string()] = sha256OfFile(file);
    document["imported"] = today();
    document["tool"] = "Headroom " HEADROOM_VERSION;
    document["assumed"] = model.info.report.assumed;
    if (const auto earlier = earlierProvenance(model.folder.folder); !earlier.is_null())
        document["before"] = earlier;
    return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

} // namespace headroom::models
