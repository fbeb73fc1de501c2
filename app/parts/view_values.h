// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <utility>

namespace headroom::app {

// Values of the view that a session keeps. What is no object, or has no such key, or a value of another type there, gives
// `otherwise`: files come from strangers, and a bad view must not keep a session from opening. Pure.

/// The value of a key; null where there is none.
inline const nlohmann::json* valueIn(const nlohmann::json& view, const char* key) {
    if (!view.is_object())
        return nullptr;
    const auto found = view.find(key);
    return found == view.end() ? nullptr : &*found;
}

inline double numberIn(const nlohmann::json& view, const char* key, double otherwise) {
    const nlohmann::json* value = valueIn(view, key);
    return value && value->is_number() ? value->get<double>() : otherwise;
}

inline int wholeIn(const nlohmann::json& view, const char* key, int otherwise) {
    const nlohmann::json* value = valueIn(view, key);
    return value && value->is_number_integer() ? value->get<int>() : otherwise;
}

/// An array of two numbers; nothing where there is none.
inline std::optional<std::pair<double, double>> pairIn(const nlohmann::json& view, const char* key) {
    const nlohmann::json* value = valueIn(view, key);
    if (!value || !value->is_array() || value->size() != 2 || !(*value)[0].is_number() || !(*value)[1].is_number())
        return std::nullopt;
    return std::pair((*value)[0].get<double>(), (*value)[1].get<double>());
}

inline bool truthIn(const nlohmann::json& view, const char* key, bool otherwise) {
    const nlohmann::json* value = valueIn(view, key);
    return value && value->is_boolean() ? value->get<bool>() : otherwise;
}

/// Nothing where there is no text.
inline std::optional<std::string> stringIn(const nlohmann::json& view, const char* key) {
    const nlohmann::json* value = valueIn(view, key);
    return value && value->is_string() ? std::optional(value->get<std::string>()) : std::nullopt;
}

} // namespace headroom::app
