// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/fields.h"

#include <cmath>

namespace headroom::protocol {

// What the messages share when they read and write their JSON. Internal to this folder; pure functions.

inline nlohmann::json numberOrNull(double value) {
    return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json();
}

inline nlohmann::json textOrNull(const std::string& text) {
    return text.empty() ? nlohmann::json() : nlohmann::json(text);
}

inline Fields parametersOf(const nlohmann::json& params, const char* method) {
    return {params, std::string("the request ") + method};
}
inline Fields resultOf(const nlohmann::json& result, const char* method) {
    return {result, std::string("the result of ") + method};
}
inline Fields notificationOf(const nlohmann::json& params, const char* method) {
    return {params, std::string("the notification ") + method};
}

/// The list at `key`, whose elements are read one by one; `read` gets the element and its words.
template <class Read>
void eachOf(const Fields& fields, const char* key, const char* of, bool needed, const Read& read) {
    nlohmann::json list = nlohmann::json::array();
    if (needed)
        fields.required(key, list);
    else
        fields.optional(key, list);
    if (!list.is_array())
        fields.refuse(key, "a list");
    for (const nlohmann::json& one : list)
        read(Fields(one, std::string("an element of “") + key + "” in the result of " + of));
}

} // namespace headroom::protocol
