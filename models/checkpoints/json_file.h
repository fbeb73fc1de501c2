// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace headroom::models {

/// A JSON object in a file of a model folder, read with sentences: every getter throws Error
/// "model.badConfig" naming the file and the key where the value is missing, of another type, or out of
/// range.
class JsonFile {
public:
    explicit JsonFile(const std::filesystem::path& file);

    bool has(const char* key) const { return m_object.contains(key); }
    std::int64_t integer(const char* key, std::int64_t smallest, std::int64_t largest) const;
    double share(const char* key) const; ///< 0 … 1
    bool boolean(const char* key) const;
    std::string text(const char* key) const;
    std::vector<int> integers(const char* key, int smallest, int largest) const;
    const nlohmann::json& value(const char* key) const;
    const nlohmann::json& object() const { return m_object; }

    const std::string& name() const { return m_name; } ///< as sentences write it
    [[noreturn]] void refuse(const std::string& code, const std::string& what,
                             nlohmann::json values = {}) const;

private:
    std::string m_name;
    nlohmann::json m_object;
};

} // namespace headroom::models
