// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace headroom::models {

/// A JSON object in a file of a model folder. Every getter throws Error "model.badConfig", which names the
/// file and the key, if the value is missing, has the wrong type, or is out of range.
class JsonFile {
public:
    explicit JsonFile(const std::filesystem::path& file);
    /// An object that was read elsewhere; `name` is used in messages.
    JsonFile(std::string name, nlohmann::json object)
        : m_name(std::move(name))
        , m_object(std::move(object)) {}

    bool has(const char* key) const { return m_object.contains(key); }
    std::int64_t integer(const char* key, std::int64_t smallest, std::int64_t largest) const;
    double share(const char* key) const; ///< 0 … 1
    bool boolean(const char* key) const;
    std::string text(const char* key) const;
    std::vector<int> integers(const char* key, int smallest, int largest) const;
    const nlohmann::json& value(const char* key) const;
    const nlohmann::json& object() const { return m_object; }

    /// The object under a key; messages name the key too.
    JsonFile part(const char* key) const;

    const std::string& name() const { return m_name; } ///< as used in messages
    [[noreturn]] void refuse(const std::string& code, const std::string& what,
                             nlohmann::json values = {}) const;

private:
    std::string m_name;
    nlohmann::json m_object;
};

} // namespace headroom::models
