// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/json_file.h"

#include "core/errors/first_bytes.h"
#include "models/checkpoints/weights.h"

#include <fstream>
#include <iterator>

namespace headroom::models {
namespace {

constexpr std::uintmax_t kLargestFile = 16 << 20; // a vocabulary of a million pieces
// Writing a value into a sentence is recursive: brackets without end must not get so far.
constexpr int kDeepest = 32;

} // namespace

JsonFile::JsonFile(const std::filesystem::path& file) : m_name(shown(file)) {
    std::error_code problem;
    const std::uintmax_t size = std::filesystem::file_size(file, problem);
    if (problem)
        refuse("model.missingFile", " is missing or cannot be read");
    if (size > kLargestFile)
        refuse("model.badConfig",
               " has " + std::to_string(size) + " bytes, too many for a model description");
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (const char* instead = notDownloaded(text))
        refuse("model.notDownloaded", std::string(" ") + instead);
    const auto limitDepth = [this](int depth, nlohmann::json::parse_event_t, const nlohmann::json&) {
        if (depth > kDeepest)
            refuse("model.badConfig", " is nested more than " + std::to_string(kDeepest) + " deep");
        return true;
    };
    try {
        m_object = nlohmann::json::parse(text, limitDepth);
    } catch (const nlohmann::json::exception&) {
        refuse("model.badConfig", " is not JSON");
    }
    if (!m_object.is_object())
        refuse("model.badConfig", " is not a JSON object");
}

void JsonFile::refuse(const std::string& code, const std::string& what, nlohmann::json values) const {
    if (values.is_null())
        values = nlohmann::json::object();
    values["file"] = m_name;
    throw Error(code, m_name + what + ".", values);
}

const nlohmann::json& JsonFile::value(const char* key) const {
    const auto found = m_object.find(key);
    if (found == m_object.end())
        refuse("model.badConfig", " does not define “" + std::string(key) + "”", {{"key", key}});
    return *found;
}

JsonFile JsonFile::part(const char* key) const {
    const nlohmann::json& found = value(key);
    if (!found.is_object())
        refuse("model.badConfig", ": “" + std::string(key) + "” is not an object", {{"key", key}});
    return JsonFile(m_name + ", “" + key + "”", found);
}

std::int64_t JsonFile::integer(const char* key, std::int64_t smallest, std::int64_t largest) const {
    const nlohmann::json& found = value(key);
    const bool fits =
        found.is_number_integer() &&
        (!found.is_number_unsigned() || found.get<std::uint64_t>() <= static_cast<std::uint64_t>(INT64_MAX));
    if (!fits || found.get<std::int64_t>() < smallest || found.get<std::int64_t>() > largest)
        refuse("model.badConfig",
               ": “" + std::string(key) + "” is " + found.dump().substr(0, 40) +
                   ", not a whole number from " + std::to_string(smallest) + " to " + std::to_string(largest),
               {{"key", key}});
    return found.get<std::int64_t>();
}

double JsonFile::share(const char* key) const {
    const nlohmann::json& found = value(key);
    if (!found.is_number() || found.get<double>() < 0 || found.get<double>() > 1)
        refuse("model.badConfig",
               ": “" + std::string(key) + "” is " + found.dump().substr(0, 40) + ", not from 0 to 1",
               {{"key", key}});
    return found.get<double>();
}

bool JsonFile::boolean(const char* key) const {
    const nlohmann::json& found = value(key);
    if (!found.is_boolean())
        refuse("model.badConfig",
               ": “" + std::string(key) + "” is " + found.dump().substr(0, 40) + ", not true or false",
               {{"key", key}});
    return found.get<bool>();
}

std::string JsonFile::text(const char* key) const {
    const nlohmann::json& found = value(key);
    if (!found.is_string())
        refuse("model.badConfig",
               ": “" + std::string(key) + "” is " + found.dump().substr(0, 40) + ", not a text",
               {{"key", key}});
    return found.get<std::string>();
}

std::vector<int> JsonFile::integers(const char* key, int smallest, int largest) const {
    const nlohmann::json& found = value(key);
    std::vector<int> result;
    bool fits = found.is_array() && !found.empty() && found.size() <= 16;
    for (std::size_t i = 0; fits && i < found.size(); ++i) {
        fits = found[i].is_number_integer() && found[i] >= smallest && found[i] <= largest;
        if (fits)
            result.push_back(found[i].get<int>());
    }
    if (!fits)
        refuse("model.badConfig",
               ": “" + std::string(key) + "” is " + found.dump().substr(0, 40) +
                   ", not a list of whole numbers from " + std::to_string(smallest) + " to " +
                   std::to_string(largest),
               {{"key", key}});
    return result;
}

} // namespace headroom::models
