// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/settings.h"

#include "core/errors/count_text.h"
#include "core/errors/display_name.h"
#include "core/errors/error.h"
#include "core/errors/listed.h"

#include <algorithm>
#include <cmath>

namespace headroom {

using nlohmann::json;

namespace {

using Kind = StudySettingField::Kind;

/// The shortest text of a number; whole ones without ".0".
std::string shortest(double value) {
    const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
    return whole ? std::to_string(static_cast<std::int64_t>(value)) : json(value).dump();
}

bool isWithin(const StudySettingField& field, double value) {
    return value >= field.least && value <= field.most; // not NaN either
}

bool isWholeWithin(const StudySettingField& field, const json& value) {
    return value.is_number_integer() && isWithin(field, value.get<double>());
}

bool isPossible(const StudySettingField& field, const json& value) {
    switch (field.kind) {
    case Kind::Number:
        return value.is_number() && isWithin(field, value.get<double>());
    case Kind::Whole:
        return isWholeWithin(field, value);
    case Kind::Wholes:
        if (!value.is_array())
            return isWholeWithin(field, value);
        return !value.empty() && std::all_of(value.begin(), value.end(), [&](const json& one) {
            return isWholeWithin(field, one);
        });
    case Kind::Flag:
        return value.is_boolean();
    case Kind::Word:
        return value.is_string() && std::find(field.words.begin(), field.words.end(),
                                              value.get_ref<const std::string&>()) != field.words.end();
    case Kind::Text:
        return value.is_string();
    }
    return false;
}

/// A possible value in the type of its field, so that study.json says 1.0 of a number and 1 of a count. A list ascends.
json typed(const StudySettingField& field, const json& value) {
    switch (field.kind) {
    case Kind::Number:
        return value.get<double>();
    case Kind::Whole:
        return value.get<std::int64_t>();
    case Kind::Wholes: {
        auto numbers = value.is_array() ? value.get<std::vector<std::int64_t>>()
                                        : std::vector<std::int64_t>{value.get<std::int64_t>()};
        std::sort(numbers.begin(), numbers.end());
        numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
        return numbers;
    }
    default:
        return value;
    }
}

[[noreturn]] void refuseValue(StudyKind kind, const StudySettingField& field, const json& value) {
    const std::string key(field.key);
    const bool isText = value.is_string();
    const auto given = isText ? value.get<std::string>() : value.dump(-1, ' ', false, json::error_handler_t::replace);
    const std::string shown = validText(given.substr(0, 80));
    throw Error("study.setting",
                "The setting “" + key + "” of " + toText(kind) + " is " + rangeText(field) + ", not " +
                    (isText ? "“" + shown + "”" : shown) + ".",
                {{"kind", toText(kind)}, {"key", key}});
}

[[noreturn]] void refuseKey(StudyKind kind, const std::string& key, const json& values) {
    std::string known;
    for (const auto& [one, ignored] : values.items())
        known += (known.empty() ? "" : ", ") + one;
    throw Error("study.setting",
                std::string("A study of ") + toText(kind) + " has no setting “" + validText(key) + "”; " +
                    (known.empty() ? "it has none" : "it has " + known) + ".",
                {{"kind", toText(kind)}, {"key", validText(key)}});
}

} // namespace

const StudySettingField* findStudySetting(StudyKind kind, std::string_view key) {
    const auto& fields = studySettingFields(kind);
    const auto found = std::find_if(fields.begin(), fields.end(),
                                    [&](const StudySettingField& field) { return field.key == key; });
    return found == fields.end() ? nullptr : &*found;
}

void renameEarlierWords(StudyKind kind, json& settings) {
    for (const StudySettingField& field : studySettingFields(kind))
        if (const auto found = settings.find(std::string(field.key));
            !field.earlier.empty() && found != settings.end() && *found == field.earlier)
            *found = field.unset;
}

json readStudySettings(StudyKind kind, const json& asGiven) {
    json given = asGiven, values = json::object();
    renameEarlierWords(kind, given);
    for (const StudySettingField& field : studySettingFields(kind)) {
        const std::string key(field.key);
        if (const auto found = given.find(key); found != given.end()) {
            if (!isPossible(field, *found))
                refuseValue(kind, field, *found);
            values[key] = typed(field, *found);
        } else if (!field.trueWhen.key.empty()) {
            values[key] = values.at(std::string(field.trueWhen.key)) == field.trueWhen.word;
        } else {
            values[key] = field.unset;
        }
    }
    for (const auto& [key, value] : given.items())
        if (!values.contains(key))
            refuseKey(kind, key, values);
    return values;
}

void setStudySetting(json& settings, const std::string& assignment) {
    const auto equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0)
        throw Error("study.setting", "--set needs KEY=VALUE, not “" + validText(assignment) + "”.");
    const auto text = assignment.substr(equals + 1);
    const json value = json::parse(text, nullptr, false);
    settings[assignment.substr(0, equals)] = value.is_discarded() ? json(validText(text)) : value;
}

std::string rangeText(const StudySettingField& field) {
    const auto limit = [](double value) {
        return value == std::floor(value) ? grouped(static_cast<std::int64_t>(value)) : shortest(value);
    };
    const auto between = [&] { return "from " + limit(field.least) + " to " + limit(field.most); };
    switch (field.kind) {
    case Kind::Number:
        return "a number " + between();
    case Kind::Whole:
        return "a whole number " + between();
    case Kind::Wholes:
        return "a list of whole numbers " + between();
    case Kind::Flag:
        return "true or false";
    case Kind::Word:
        return "one of " + listedInQuotes(field.words);
    case Kind::Text:
        return field.words.empty() ? "a text" : "a text, or one of " + listedInQuotes(field.words);
    }
    return {};
}

std::string unsetText(const StudySettingField& field) {
    if (!field.trueWhen.key.empty())
        return "true with " + std::string(field.trueWhen.key) + "=" + std::string(field.trueWhen.word) +
               ", else false";
    if (field.unset.is_string())
        return "“" + field.unset.get<std::string>() + "”";
    return field.unset.is_number_float() ? shortest(field.unset.get<double>()) : field.unset.dump();
}

std::string studySettingsHelp(StudyKind kind) {
    std::string text = std::string("Settings of ") + toText(kind) + ", each as --set KEY=JSON:\n";
    for (const StudySettingField& field : studySettingFields(kind))
        text += "  " + std::string(field.key) + "\n      " + std::string(field.meaning) + "\n      " +
                rangeText(field) + "; default: " + unsetText(field) + "\n";
    return text;
}

} // namespace headroom
