// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/studies/settings.h"

#include "core/errors/display_name.h"
#include "core/errors/error.h"

#include <algorithm>
#include <cmath>

namespace headroom::training {

using nlohmann::json;

namespace {

std::string plain(double value) {
    return json(value).dump();
}

} // namespace

SettingsReader::SettingsReader(const json& given, std::string kind)
    : m_given(given)
    , m_kind(std::move(kind)) {}

const json* SettingsReader::find(const std::string& key) {
    const auto found = m_given.find(key);
    return found == m_given.end() ? nullptr : &*found;
}

void SettingsReader::refuse(const std::string& key, const std::string& wanted) const {
    const auto given = m_given.at(key).dump(-1, ' ', false, json::error_handler_t::replace).substr(0, 80);
    throw Error("study.setting",
                "The setting “" + key + "” of " + m_kind + " is " + wanted + ", not " + validText(given) +
                    ".",
                {{"kind", m_kind}, {"key", key}});
}

template <class T>
T SettingsReader::kept(const std::string& key, T value) {
    m_values[key] = value;
    return value;
}

double SettingsReader::number(const std::string& key, double unset, double least, double most) {
    const json* given = find(key);
    if (!given)
        return kept(key, unset);
    const double value = given->is_number() ? given->get<double>() : std::nan("");
    if (!(value >= least && value <= most))
        refuse(key, "a number from " + plain(least) + " to " + plain(most));
    return kept(key, value);
}

std::int64_t SettingsReader::whole(const std::string& key, std::int64_t unset, std::int64_t least,
                                   std::int64_t most) {
    const json* given = find(key);
    if (!given)
        return kept(key, unset);
    const double value = given->is_number_integer() ? given->get<double>() : std::nan("");
    if (!(value >= static_cast<double>(least) && value <= static_cast<double>(most)))
        refuse(key, "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    return kept(key, given->get<std::int64_t>());
}

std::vector<std::int64_t> SettingsReader::wholes(const std::string& key,
                                                 const std::vector<std::int64_t>& unset, std::int64_t least,
                                                 std::int64_t most) {
    const json* given = find(key);
    if (!given)
        return kept(key, unset);
    const json list = given->is_array() ? *given : json::array({*given});
    const bool good = !list.empty() && std::all_of(list.begin(), list.end(), [&](const json& one) {
        const double value = one.is_number_integer() ? one.get<double>() : std::nan("");
        return value >= static_cast<double>(least) && value <= static_cast<double>(most);
    });
    if (!good)
        refuse(key, "a list of whole numbers from " + std::to_string(least) + " to " + std::to_string(most));
    return kept(key, list.get<std::vector<std::int64_t>>());
}

bool SettingsReader::flag(const std::string& key, bool unset) {
    const json* given = find(key);
    if (given && !given->is_boolean())
        refuse(key, "true or false");
    return kept(key, given ? given->get<bool>() : unset);
}

std::string SettingsReader::word(const std::string& key, const std::string& unset,
                                 std::initializer_list<const char*> possible) {
    const json* given = find(key);
    const std::string value = !given ? unset : given->is_string() ? given->get<std::string>() : "";
    if (std::find(possible.begin(), possible.end(), value) == possible.end()) {
        std::string words;
        for (const char* one : possible)
            words += std::string(words.empty() ? "one of “" : ", “") + one + "”";
        refuse(key, words);
    }
    return kept(key, value);
}

std::string SettingsReader::text(const std::string& key, const std::string& unset) {
    const json* given = find(key);
    if (given && !given->is_string())
        refuse(key, "a text");
    return kept(key, given ? given->get<std::string>() : unset);
}

json SettingsReader::done() {
    for (const auto& [key, value] : m_given.items()) {
        if (m_values.contains(key))
            continue;
        std::string known;
        for (const auto& [one, ignored] : m_values.items())
            known += (known.empty() ? "" : ", ") + one;
        throw Error("study.setting",
                    "A study of " + m_kind + " has no setting “" + validText(key) + "”; " +
                        (known.empty() ? "it has none" : "it has " + known) + ".",
                    {{"kind", m_kind}, {"key", validText(key)}});
    }
    return m_values;
}

void setFromText(json& settings, const std::string& assignment) {
    const auto equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0)
        throw Error("study.setting", "--set needs KEY=VALUE, not “" + validText(assignment) + "”.");
    const auto text = assignment.substr(equals + 1);
    const json value = json::parse(text, nullptr, false);
    settings[assignment.substr(0, equals)] = value.is_discarded() ? json(validText(text)) : value;
}

} // namespace headroom::training
