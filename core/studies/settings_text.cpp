// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/settings_text.h"

#include "core/alignment/phone_map.h"
#include "core/errors/display_name.h"
#include "core/studies/settings.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

namespace headroom {

namespace {

using nlohmann::json;
using Words = std::map<std::pair<std::string_view, std::string_view>, std::string_view>;

const std::map<std::string_view, std::string_view>& settingTitles() {
    static const std::map<std::string_view, std::string_view> titles{
        {"statistic", "statistic"},
        {"threshold", "threshold t"},
        {"patience", "patience, share of N"},
        {"shortest", "shortest utterance in seconds"},
        {"fewestWords", "fewest words of a text"},
        {"source", "maps"},
        {"example", "example utterance"},
        {"split", "CAD split"},
        {"relevance", "relevance"},
        {"augment", "SpecAugment"},
        {"silence", "silence"},
        {"phoneMap", "phone map"},
        {"phoneMapFingerprint", ""}, // stands behind the map
        {"mode", "averaging"},
        {"reference", "reference of coverage"},
        {"referenceModel", "model of the reference"},
        {"referenceLayers", "lowest layers of the reference"},
        {"allowSame", "a model may be its own reference"},
        {"largest", "cells of each row in coverage"},
        {"places", ""}, // kept behind the numbers
        {"seeds", "training runs of the probe"},
        {"testShare", "share of test tokens"},
        {"normalise", "normalisation"},
        {"epochs", "epochs"},
        {"rate", "learning rate"},
        {"momentum", "momentum"},
        {"decay", "L2 penalty"},
        {"stepEpochs", "epochs between steps of the learning rate"},
        {"stepFactor", "factor of each step"},
        {"batch", "tokens per update"},
        {"measures", "measures"},
        {"units", "units"},
        {"pooling", "value of a unit"},
        {"window", "window of CL, in units"},
        {"perUtterance", "tokens per utterance"},
        {"lengths", "lengths in tokens"},
        {"warmUp", "untimed passes"},
        {"repeats", "timed passes per length"},
        {"threads", "threads"}};
    return titles;
}

/// Words of settings that are no words of a sentence.
const Words& valueWords() {
    static const Words words{{{"statistic", "table-compatible"}, "2·i, as in the tables"},
                             {{"statistic", "as-printed"}, "2·i + 1, as printed"},
                             {{"source", "auto"}, "contributions if available, else attention"},
                             {{"relevance", "pooled"}, "median of L2 over all tokens"},
                             {{"relevance", "notebook"}, "L1, median of medians"},
                             {{"silence", "auto"}, "removed if all phones are known"},
                             {{"silence", "remove"}, "removed"},
                             {{"silence", "keep"}, "kept"},
                             {{"phoneMap", "auto"}, "best match"},
                             {{"mode", "mean"}, "mean of utterances"},
                             {{"mode", "pooled"}, "pooled over all tokens"},
                             {{"normalise", "token"}, "each token by itself"},
                             {{"normalise", "standard"}, "each dimension by the training tokens"},
                             {{"measures", "quick"}, "all but value zeroing"},
                             {{"pooling", "mean"}, "mean of its tokens"},
                             {{"pooling", "maximum"}, "largest of its tokens"},
                             {{"referenceLayers", "0"}, "lower half"}};
    return words;
}

std::string listedNumbers(const json& values) {
    std::string text;
    for (const json& value : values)
        text += (text.empty() ? "" : ", ") + value.dump();
    return text;
}

std::string settingValue(const std::string& key, const json& value) {
    const std::string plain = value.is_string()  ? value.get<std::string>()
                              : value.is_array() ? listedNumbers(value)
                                                 : value.dump();
    if (const auto found = valueWords().find({key, plain}); found != valueWords().end())
        return std::string(found->second);
    const auto& maps = PhoneMap::names();
    if (key == "phoneMap" && std::find(maps.begin(), maps.end(), plain) != maps.end())
        return PhoneMap::named(plain).title();
    const bool isPath = (key == "phoneMap" || key == "reference") && plain.find('/') != std::string::npos;
    return isPath ? displayName(plain) : plain;
}

std::string wordOf(const json& settings, const char* key) {
    const auto found = settings.find(key);
    return found != settings.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Whether a setting has an effect beside the others.
bool matters(const std::string& key, const json& settings) {
    const auto word = [&](const char* other) { return wordOf(settings, other); };
    if (key == "referenceModel")
        return word("reference").find('/') != std::string::npos;
    if (key == "referenceLayers" || key == "allowSame" || key == "largest")
        return !word("reference").empty();
    if (key == "pooling")
        return word("units") != "tokens";
    if (key == "shortest" || key == "fewestWords")
        return settings.value(key, 0.0) > 0;
    if (key == "perUtterance")
        return word("places") == "tokens";
    return true;
}

} // namespace

std::string_view settingTitle(StudyKind kind, std::string_view key) {
    if (kind == StudyKind::Similarity && key == "places")
        return "compared at";
    const auto found = settingTitles().find(key);
    if (found == settingTitles().end())
        throw std::logic_error("a setting without a title: " + std::string(key));
    return found->second;
}

std::vector<SettingWords> settingWords(StudyKind kind, const json& settings) {
    std::vector<SettingWords> all;
    for (const StudySettingField& field : studySettingFields(kind)) {
        const std::string key(field.key);
        const json value = settings.value(key, json());
        const std::string_view title = settingTitle(kind, key);
        if (title.empty() || value.is_null() || value == "" || value == false || !matters(key, settings))
            continue;
        SettingWords one{std::string(title), value.is_boolean() ? std::string() : settingValue(key, value)};
        const std::string hash = key == "phoneMap" ? wordOf(settings, "phoneMapFingerprint") : std::string();
        if (!hash.empty())
            one.value += " (" + hash + ")";
        all.push_back(std::move(one));
    }
    return all;
}

std::string settingsText(StudyKind kind, const json& settings) {
    std::string text;
    for (const auto& [title, value] : settingWords(kind, settings))
        text += (text.empty() ? "" : "; ") + title + (value.empty() ? "" : ": " + value);
    return text;
}

} // namespace headroom
