// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/recipe.h"

#include "core/architecture/nearest.h"
#include "core/architecture/shortest.h"
#include "core/errors/count_text.h"
#include "core/errors/display_name.h"
#include "core/errors/listed.h"
#include "core/runs/strict_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <sstream>

namespace headroom {

using nlohmann::json;

namespace {

constexpr const char* kRecipeFormat = "headroom/recipe";

[[noreturn]] void refuse(const char* code, const std::string& name, std::string_view key,
                         const std::string& what) {
    const std::string place = key.empty() ? "" : ", " + std::string(key);
    throw Error(code, name + place + ": " + what + ".", {{"file", name}, {"key", key}});
}

std::string numberText(double value) {
    return std::abs(value) < 1e15 && value == std::floor(value)
               ? grouped(static_cast<std::int64_t>(value))
               : shortest(value);
}

void checkText(const RecipeField& field, const json& value, const std::string& name) {
    if (!value.is_string())
        refuse("recipe.type", name, field.key, "this must be a string in quotes");
    const auto text = value.get<std::string>();
    if (field.kind == RecipeField::Kind::Word &&
        std::find(field.words.begin(), field.words.end(), text) == field.words.end()) {
        const auto nearest = nearestWord(text, field.words);
        refuse("recipe.value", name, field.key,
               "there is no “" + text + "”; " +
                   (nearest.empty() ? "there are " + listedInQuotes(field.words)
                                    : "nearest is “" + std::string(nearest) + "”"));
    }
    // These name files of the corpus: nothing that leads elsewhere.
    const bool isName = field.key == "task" || field.key.ends_with("Split");
    if (isName && (text.empty() || text.find('/') != std::string::npos || text.front() == '.'))
        refuse("recipe.value", name, field.key, "“" + text + "” is not the name of a split or a task");
}

/// ", not “many”": as it was written; empty: nothing was.
std::string otherThan(const json& value) {
    constexpr std::size_t kLongest = 40;
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    std::size_t end = std::min(text.size(), kLongest);
    while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
        --end; // no half of a character
    if (text.empty())
        return {};
    return value.is_string() ? ", not “" + text.substr(0, end) + "”" : ", not " + text.substr(0, end);
}

void checkNumber(const RecipeField& field, const json& value, const std::string& name) {
    const bool whole = field.kind == RecipeField::Kind::Whole;
    const std::string range = std::string("this must be a ") + (whole ? "whole number" : "number") +
                              " from " + numberText(field.least) + " to " + numberText(field.most);
    if (!value.is_number() || (whole && !value.is_number_integer()))
        refuse("recipe.type", name, field.key, range + otherThan(value));
    const double number = value.get<double>();
    if (!(number >= field.least && number <= field.most))
        refuse("recipe.value", name, field.key, range + ", not " + value.dump());
}

void assign(Recipe& recipe, const RecipeField& field, const json& value, const std::string& name) {
    if (field.kind == RecipeField::Kind::Text || field.kind == RecipeField::Kind::Word)
        checkText(field, value, name);
    else
        checkNumber(field, value, name);
    field.set(recipe, value);
}

constexpr std::string_view kSamplingKey = "loss.scheduledSampling";

/// Numbers from 0 to 1, separated by blanks or commas; nothing for other text.
std::optional<std::vector<double>> readShares(std::string text) {
    std::replace(text.begin(), text.end(), ',', ' ');
    std::istringstream words(text);
    words.imbue(std::locale::classic());
    std::vector<double> shares;
    for (std::string word; words >> word;) {
        const json share = json::parse(word, nullptr, false);
        if (!share.is_number() || !(share.get<double>() >= 0 && share.get<double>() <= 1))
            return std::nullopt;
        shares.push_back(share.get<double>());
    }
    return shares.empty() ? std::nullopt : std::optional(shares);
}

void checkTogether(const Recipe& recipe, const std::string& name) {
    if (!readShares(recipe.loss.scheduledSampling))
        refuse("recipe.value", name, kSamplingKey,
               "this must be probabilities of the true token, one per epoch, as in “1 0.9 0.8”, not “" +
                   recipe.loss.scheduledSampling.substr(0, 40) + "”");
    if (recipe.data.minFrames > recipe.data.maxFrames)
        refuse("recipe.value", name, "data.minFrames",
               "no utterance has at least " + grouped(recipe.data.minFrames) + " and at most " +
                   grouped(recipe.data.maxFrames) + " frames");
    if (recipe.data.maxFrames > recipe.data.maxBatchFrames)
        refuse("recipe.value", name, "data.maxFrames",
               "an utterance of " + grouped(recipe.data.maxFrames) +
                   " frames does not fit into a batch of data.maxBatchFrames = " +
                   grouped(recipe.data.maxBatchFrames));
    if (recipe.checkpoints.average > recipe.checkpoints.keep)
        refuse("recipe.value", name, "checkpoints.average",
               "the mean of " + std::to_string(recipe.checkpoints.average) +
                   " checkpoints needs as many to be kept, and checkpoints.keep is " +
                   std::to_string(recipe.checkpoints.keep));
    if (recipe.validation.everyUpdates == 0 && recipe.validation.everyEpochs == 0 &&
        recipe.checkpoints.everyUpdates == 0)
        refuse("recipe.value", name, "checkpoints.everyUpdates",
               "nothing would ever be saved: this, validation.everyUpdates and "
               "validation.everyEpochs are all 0");
    if (recipe.optimiser.schedule == "plateau" && recipe.validation.everyUpdates == 0 &&
        recipe.validation.everyEpochs == 0)
        refuse("recipe.value", name, "optimiser.schedule",
               "a plateau is found by validations, but there are none");
    if (recipe.optimiser.schedule == "exponential" && recipe.optimiser.finalFactor == 0)
        refuse("recipe.value", name, "optimiser.finalFactor", "an exponential decay never reaches 0");
    if (recipe.length.patience > 0 && recipe.validation.everyUpdates == 0 &&
        recipe.validation.everyEpochs == 0)
        refuse("recipe.value", name, "length.patience", "patience counts validations, but there are none");
}

std::vector<std::string_view> allKeys() {
    std::vector<std::string_view> keys;
    for (const RecipeField& field : recipeFields())
        keys.push_back(field.key);
    return keys;
}

[[noreturn]] void refuseKey(const std::string& key, const std::string& name) {
    const auto keys = allKeys();
    const auto nearest = nearestWord(key, keys);
    refuse("recipe.unknownKey", name, key,
           nearest.empty() ? "unknown key"
                           : "unknown key; nearest is “" + std::string(nearest) + "”");
}

const json* find(const json& document, std::string_view dotted) {
    const auto dot = dotted.find('.');
    const auto found = document.find(std::string(dotted.substr(0, dot)));
    if (found == document.end())
        return nullptr;
    if (dot == std::string_view::npos)
        return &*found;
    return found->is_object() ? find(*found, dotted.substr(dot + 1)) : nullptr;
}

void refuseUnknown(const json& document, const std::string& name) {
    const auto keys = allKeys();
    const auto known = [&](const std::string& key) {
        return std::find(keys.begin(), keys.end(), key) != keys.end();
    };
    for (const auto& [key, value] : document.items()) {
        if (key == "format" || key == "version")
            continue;
        const auto prefix = key + "."; // clang 14 does not capture structured bindings
        const bool group = std::any_of(keys.begin(), keys.end(),
                                       [&](std::string_view one) { return one.starts_with(prefix); });
        if (!group && !known(key))
            refuseKey(key, name);
        if (!group)
            continue;
        if (!value.is_object())
            refuse("recipe.type", name, key, "this must be an object, { … }");
        for (const auto& [inner, ignored] : value.items())
            if (!known(key + "." + inner))
                refuseKey(key + "." + inner, name);
    }
}

/// The policies of SpecAugment (Park et al. 2019, Table 1) without time warping, as fairseq has them.
struct MaskPolicy {
    std::string_view name;
    std::int64_t frequencyMasks, frequencyWidth, timeMasks, timeWidth;
    double timeShare;
};
constexpr std::array kMaskPolicies{
    MaskPolicy{"LB", 1, 27, 1, 100, 1},   MaskPolicy{"LD", 2, 27, 2, 100, 1},  MaskPolicy{"SM", 2, 15, 2, 70, 0.2},
    MaskPolicy{"SS", 2, 27, 2, 70, 0.2}, MaskPolicy{"none", 0, 0, 0, 0, 1},
};

constexpr std::string_view kPolicyKey = "augmentation.policy";

void assignPolicy(Recipe& recipe, const json& value, const std::string& name) {
    std::vector<std::string_view> names;
    for (const MaskPolicy& policy : kMaskPolicies) {
        names.push_back(policy.name);
        if (value == policy.name)
            recipe.augmentation = {policy.frequencyMasks, policy.frequencyWidth, policy.timeMasks,
                                   policy.timeWidth, policy.timeShare, 0};
    }
    if (std::find(names.begin(), names.end(), value.is_string() ? value.get<std::string>() : "") == names.end())
        refuse("recipe.value", name, kPolicyKey, "the policies of SpecAugment are " + listedInQuotes(names));
}

} // namespace

Recipe parseRecipe(std::string_view text, const std::string& name) {
    const json document = parseStrictObject(text, name, "recipe.badJson");
    if (const json format = document.value("format", json());
        format.is_string() && format != kRecipeFormat && format.get<std::string>().starts_with("headroom/"))
        throw Error("recipe.format", name + " is a " + format.get<std::string>() + ", not a recipe.",
                    {{"file", name}, {"key", "format"}});
    if (document.value("format", json()) != kRecipeFormat)
        refuse("recipe.format", name, "format", std::string("this must be “") + kRecipeFormat + "”");
    if (document.value("version", json()) != 1)
        refuse("recipe.format", name, "version", "this version of the program reads recipes of version 1");
    refuseUnknown(document, name);
    Recipe recipe;
    for (const RecipeField& field : recipeFields()) {
        const json* value = find(document, field.key);
        if (!value && !field.optional)
            refuse("recipe.missingKey", name, field.key, "this key is missing");
        if (value)
            assign(recipe, field, *value, name);
    }
    checkTogether(recipe, name);
    return recipe;
}

Recipe readRecipe(const std::filesystem::path& file) {
    return parseRecipe(readSmallFile(file, "recipe.missing"), displayName(file));
}

std::vector<double> trueTokenShares(const Recipe::Loss& loss) {
    auto shares = readShares(loss.scheduledSampling);
    if (!shares)
        refuse("recipe.value", "The recipe", kSamplingKey, "this must be probabilities, one per epoch");
    return *shares;
}

void overrideRecipe(Recipe& recipe, const std::string& assignment) {
    const std::string name = "--set " + assignment;
    const auto equals = assignment.find('=');
    if (equals == std::string::npos)
        refuse("recipe.badSet", name, "", "this must be KEY=VALUE, as in optimiser.learningRate=0.001");
    const std::string key = assignment.substr(0, equals);
    const auto& fields = recipeFields();
    const auto field =
        std::find_if(fields.begin(), fields.end(), [&](const RecipeField& one) { return one.key == key; });
    if (field == fields.end() && key != kPolicyKey)
        refuseKey(key, name);
    json value = json::parse(assignment.substr(equals + 1), nullptr, false);
    if (value.is_discarded() && field != fields.end() &&
        (field->kind == RecipeField::Kind::Whole || field->kind == RecipeField::Kind::Real))
        value = assignment.substr(equals + 1); // refused as what is no number: quotes would not help
    if (value.is_discarded())
        refuse("recipe.badSet", name, "",
               "the value is not JSON; put text in quotes: " + key + "=\"" +
                   assignment.substr(equals + 1) + "\"");
    Recipe changed = recipe;
    if (key == kPolicyKey)
        assignPolicy(changed, value, name);
    else
        assign(changed, *field, value, name);
    checkTogether(changed, name);
    recipe = changed;
}

std::string canonicalText(const Recipe& recipe) {
    nlohmann::ordered_json document;
    document["format"] = kRecipeFormat;
    document["version"] = 1;
    const Recipe defaults;
    for (const RecipeField& field : recipeFields()) {
        const std::string key(field.key);
        const json value = field.get(recipe);
        if (field.optional && value == field.get(defaults))
            continue;
        const auto dot = key.find('.');
        if (dot == std::string::npos)
            document[key] = value;
        else
            document[key.substr(0, dot)][key.substr(dot + 1)] = value;
    }
    return document.dump(2) + "\n";
}

std::vector<RecipeDifference> differences(const Recipe& left, const Recipe& right) {
    std::vector<RecipeDifference> result;
    for (const RecipeField& field : recipeFields()) {
        const json a = field.get(left), b = field.get(right);
        if (a != b)
            result.push_back({std::string(field.key), a.dump(), b.dump()});
    }
    return result;
}

} // namespace headroom
