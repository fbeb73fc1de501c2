// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/choices.h"
#include "core/errors/error.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// Parses JSON and rejects what the library accepts: duplicate keys, and nesting deeper than any document of
/// Headroom. Throws Error "architecture.badJson", "architecture.duplicateKey".
nlohmann::json parseStrictJson(std::string_view text, const std::string& name);

/// Reads one object of a document key by key. Every error names the file, the place and the nearest correct
/// text. The codes of its errors begin with `codes`: "architecture.type", or "experiment.type" in an experiment.
class ObjectReader {
public:
    /// Throws "architecture.type" unless it is an object, "architecture.unknownKey" for a key not in `keys`.
    ObjectReader(const nlohmann::json& value, std::string place, std::string file,
                 std::span<const std::string_view> keys, std::string codes = "architecture");

    /// Returns whether the key is missing or null.
    bool absent(const char* key) const { return !m_value.contains(key) || m_value[key].is_null(); }
    /// The value; throws "architecture.missingKey".
    const nlohmann::json& at(const char* key) const;
    std::string text(const char* key) const;
    /// Returns one of these words; otherwise throws "architecture.value" with the nearest one.
    std::string word(const char* key, std::span<const std::string_view> words) const;
    /// Returns the choice with one of its words; otherwise throws as word().
    template <class Choice> Choice choice(const char* key) const {
        return choiceOf<Choice>(word(key, ChoiceWords<Choice>::all));
    }
    /// Returns an integer in [least, most]; otherwise throws "architecture.type" or "architecture.value".
    std::int64_t whole(const char* key, std::int64_t least, std::int64_t most) const;
    std::vector<int> wholes(const char* key, int least, int most, std::size_t mostItems) const;
    double real(const char* key, double least, double below) const;
    bool truth(const char* key) const;

    std::string placeOf(const std::string& key) const { return m_place.empty() ? key : m_place + "." + key; }
    const std::string& file() const { return m_file; }
    /// Throws Error(code): "FILE, PLACE: reason."
    [[noreturn]] void refuse(const std::string& code, const std::string& key, const std::string& reason,
                             nlohmann::json suggestions = nlohmann::json::array()) const;

private:
    std::int64_t wholeIn(const nlohmann::json& value, const std::string& key, std::int64_t least,
                         std::int64_t most) const;

    const nlohmann::json& m_value;
    std::string m_place, m_file, m_codes;
};

} // namespace headroom
