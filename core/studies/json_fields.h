// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace headroom {

/// Reads keys of an object into typed variables. A missing or null key keeps the variable's value, so that
/// older files can be opened. A wrong type throws Error "study.value". Internal to core/studies.
struct JsonFields {
    const nlohmann::json& object;
    const std::string& file;
    std::string where; ///< "models[1]."; empty at the top level

    template <class T>
    void operator()(const char* key, T& place) const {
        const auto found = object.find(key);
        if (found == object.end() || found->is_null())
            return;
        if constexpr (std::is_same_v<T, std::string>)
            require(found->is_string(), key, *found, "a text");
        else if constexpr (std::is_same_v<T, bool>)
            require(found->is_boolean(), key, *found, "true or false");
        else if constexpr (std::is_same_v<T, double>)
            require(found->is_number(), key, *found, "a number");
        else if constexpr (std::is_same_v<T, std::uint64_t>)
            require(found->is_number_unsigned(), key, *found, "a whole number from 0");
        else
            require(isWhole<T>(*found), key, *found, "a whole number in its range");
        place = found->template get<T>();
    }

    /// Returns the array at `key`, empty if there is none.
    const nlohmann::json& array(const char* key) const {
        static const nlohmann::json none = nlohmann::json::array();
        const auto found = object.find(key);
        if (found == object.end() || found->is_null())
            return none;
        require(found->is_array(), key, *found, "a list");
        return *found;
    }

private:
    void require(bool good, const char* key, const nlohmann::json& value, const char* wanted) const {
        if (!good)
            throw Error("study.value",
                        file + ": “" + where + key + "” is " + shortened(value) + ", not " + wanted + ".",
                        {{"file", file}, {"key", where + key}});
    }
    template <class T>
    static bool isWhole(const nlohmann::json& value) {
        if (value.is_number_unsigned())
            return value.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<T>::max());
        return value.is_number_integer() && value.get<std::int64_t>() >= std::numeric_limits<T>::min();
    }
    static std::string shortened(const nlohmann::json& value) {
        auto text = value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
        return text.size() > 40 ? text.substr(0, 40) + "…" : text;
    }
};

} // namespace headroom
