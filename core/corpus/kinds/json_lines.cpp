// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/kinds/json_lines.h"

#include "core/corpus/kinds/text_lines.h"
#include "core/errors/error.h"

namespace headroom {

namespace fs = std::filesystem;

bool readJsonLines(SourceReading& reading, const fs::path& file,
                   const std::function<void(const nlohmann::json&, const SourcePlace&)>& object) {
    return reading.eachLine(file, [&](const std::string& line, const SourcePlace& place) {
        const auto value = nlohmann::json::parse(line, nullptr, false);
        if (value.is_object())
            object(value, place);
        else
            reading.problem("corpus.badJson", place, {}, "this is not a JSON object");
    });
}

std::string textOfJson(const nlohmann::json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end())
        return {};
    if (found->is_string())
        return found->get<std::string>();
    return found->is_number() ? found->dump() : std::string();
}

std::optional<double> numberOfJson(const nlohmann::json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_number())
        return std::nullopt;
    return found->get<double>();
}

bool firstLineHas(const fs::path& file, const char* key) {
    try {
        LineReader reader(file);
        for (std::string line; reader.next(line);)
            if (!trimmedText(line).empty()) {
                const auto value = nlohmann::json::parse(line, nullptr, false);
                return value.is_object() && value.contains(key);
            }
    } catch (const Error&) { // not this kind
    }
    return false;
}

std::string stemOfJsonLines(const fs::path& file) {
    std::string name = file.filename().string();
    for (const char* ending : {".gz", ".jsonl", ".json"})
        if (name.ends_with(ending))
            name.erase(name.size() - std::string_view(ending).size());
    return name;
}

bool isJsonLines(const fs::path& file) {
    const auto name = file.filename().string();
    return name.ends_with(".json") || name.ends_with(".jsonl") || name.ends_with(".json.gz") ||
           name.ends_with(".jsonl.gz");
}

} // namespace headroom
