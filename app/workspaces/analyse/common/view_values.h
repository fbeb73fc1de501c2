// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

namespace headroom::app {

/// Values of the view that a session keeps. A key that is missing or has another type gives `otherwise`: files
/// come from strangers, and a bad view must not keep a session from opening. Pure.
inline double numberIn(const nlohmann::json& view, const char* key, double otherwise) {
    const auto found = view.find(key);
    return found != view.end() && found->is_number() ? found->get<double>() : otherwise;
}

inline bool truthIn(const nlohmann::json& view, const char* key, bool otherwise) {
    const auto found = view.find(key);
    return found != view.end() && found->is_boolean() ? found->get<bool>() : otherwise;
}

} // namespace headroom::app
