// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model_folders/language_adapter.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <string_view>

namespace headroom {

namespace {

constexpr std::string_view kAdapter = "adapter.", kWeights = ".safetensors";

} // namespace

std::string languageOfAdapter(const std::filesystem::path& file) {
    const std::string name = file.filename().string();
    if (name.size() <= kAdapter.size() + kWeights.size() || !name.starts_with(kAdapter) ||
        !name.ends_with(kWeights))
        return {};
    return name.substr(kAdapter.size(), name.size() - kAdapter.size() - kWeights.size());
}

std::filesystem::path adapterOf(const std::filesystem::path& folder, const std::string& language) {
    return folder / (std::string(kAdapter) + language + std::string(kWeights));
}

std::vector<std::string> adapterLanguages(const std::filesystem::path& folder) {
    std::vector<std::string> languages;
    std::error_code failure;
    for (std::filesystem::directory_iterator entry(folder, failure), end; !failure && entry != end;
         entry.increment(failure))
        if (std::string language = languageOfAdapter(entry->path()); !language.empty())
            languages.push_back(std::move(language));
    std::sort(languages.begin(), languages.end());
    return languages;
}

std::string ownLanguage(const std::filesystem::path& folder) {
    std::ifstream stream(folder / "tokenizer_config.json", std::ios::binary);
    const auto config = nlohmann::json::parse(stream, nullptr, false);
    const auto found = config.is_object() ? config.find("target_lang") : config.end();
    return config.is_object() && found != config.end() && found->is_string() ? found->get<std::string>() : std::string();
}

} // namespace headroom
