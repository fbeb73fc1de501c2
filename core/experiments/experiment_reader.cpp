// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/document_reader.h"
#include "core/architecture/nearest.h"
#include "core/errors/display_name.h"
#include "core/experiments/experiment_checks.h"
#include "core/experiments/variables.h"
#include "core/runs/strict_json.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace headroom {

using nlohmann::json;

namespace {

constexpr const char* kExperimentFormat = "headroom/experiment";
using Keys = std::vector<std::string_view>;

/// A document's object with the lists that ObjectReader does not read.
class ExperimentObject : public ObjectReader {
public:
    ExperimentObject(const json& value, const std::string& place, const std::string& file, const Keys& keys)
        : ObjectReader(value, place, file, keys, "experiment") {}

    std::string textOr(const char* key) const { return absent(key) ? std::string() : text(key); }
    std::vector<std::string> texts(const char* key) const {
        std::vector<std::string> result;
        if (absent(key))
            return result;
        const json& list = at(key);
        if (list.is_string())
            return {list.get<std::string>()};
        if (!list.is_array())
            refuse("experiment.type", key, "this must be a list of texts in quotes");
        for (const json& one : list) {
            if (!one.is_string())
                refuse("experiment.type", key, "this must be a list of texts in quotes");
            result.push_back(one.get<std::string>());
        }
        return result;
    }
    const json& list(const char* key) const {
        const json& value = at(key);
        if (!value.is_array())
            refuse("experiment.type", key, "this must be a list, [ … ]");
        return value;
    }
    /// The object at `key`; an empty one where the key is missing.
    const json& object(const char* key) const {
        static const json none = json::object();
        if (absent(key))
            return none;
        if (!at(key).is_object())
            refuse("experiment.type", key, "this must be an object, { … }");
        return at(key);
    }
    bool truthOr(const char* key, bool unset) const { return absent(key) ? unset : truth(key); }
};

std::string optionValue(const json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

/// The options of decoding: key in the document, option of `evaluate`.
struct DecodingKey {
    std::string_view key;
    const char* option;
};
constexpr std::array kDecodingKeys{
    DecodingKey{"beam", "--beam"},           DecodingKey{"lengthPenalty", "--length-penalty"},
    DecodingKey{"maxTokens", "--max-tokens"}, DecodingKey{"minTokens", "--min-tokens"},
    DecodingKey{"maxTokensPerFrame", "--max-tokens-per-frame"}, DecodingKey{"endFactor", "--end-factor"},
    DecodingKey{"coverageWeight", "--coverage-weight"}, DecodingKey{"coverageThreshold", "--coverage-threshold"},
    DecodingKey{"ctcBeam", "--ctc-beam"},    DecodingKey{"lengthBonus", "--length-bonus"},
    DecodingKey{"ctcWeight", "--ctc-weight"}, DecodingKey{"languageModelWeight", "--lm-weight"},
};

void readTrain(const ExperimentObject& from, ExperimentStep& step) {
    step.architecture = from.text("architecture");
    step.recipe = from.text("recipe");
    for (const auto& [key, value] : from.object("set").items())
        step.set.push_back(key + "=" + value.dump());
    step.startFrom = from.textOr("startFrom");
    if (const auto colon = step.startFrom.find(':'); colon != std::string::npos) {
        if (step.startFrom.substr(colon) != ":encoder")
            from.refuse("experiment.value", "startFrom", "this must be STEP or STEP:encoder");
        step.startFrom.resize(colon);
        step.encoderOnly = true;
    }
    for (const auto& [layers, heads] : from.object("heads").items())
        step.heads.emplace_back(layers, optionValue(heads));
    step.crossAttention = from.textOr("crossAttention");
    if (!from.absent("features"))
        step.features = static_cast<int>(from.whole("features", 1, 1000));
    if (!from.absent("attentionDropout"))
        step.attentionDropout = from.real("attentionDropout", 0, 1);
    if (!from.absent("windows")) {
        const ExperimentObject windows(from.at("windows"), from.placeOf("windows"), from.file(),
                                       {"of", "firstLayer", "lastLayer"});
        step.windowsOf = windows.text("of");
        step.firstLayer = static_cast<int>(windows.whole("firstLayer", 1, 1000));
        step.lastLayer = static_cast<int>(windows.whole("lastLayer", step.firstLayer, 1000));
    }
}

void readStudyStep(const ExperimentObject& from, ExperimentStep& step) {
    step.study = from.text("study");
    step.models = from.texts("models");
    step.architectures = from.texts("architectures");
    if (step.models.empty() == step.architectures.empty())
        from.refuse("experiment.value", "models", "a study has either models or architectures");
    if (!from.absent("utterances"))
        step.utterances = static_cast<int>(from.whole("utterances", 1, 10000000));
    step.settings = from.object("settings");
    step.splits = from.texts("split");
}

void readDecode(const ExperimentObject& from, ExperimentStep& step) {
    step.model = from.text("model");
    step.splits = from.texts("split");
    if (step.splits.empty())
        from.refuse("experiment.missingKey", "split", "this key is missing");
    for (const DecodingKey& each : kDecodingKeys)
        if (const std::string key(each.key); !from.absent(key.c_str()) && !from.at(key.c_str()).is_object()) {
            if (!from.at(key.c_str()).is_number())
                from.refuse("experiment.type", key, "this must be a number");
            step.options.emplace_back(each.option, from.at(key.c_str()).dump());
        }
    step.languageModel = from.textOr("languageModel");
}

/// "languageModelWeight": {"of": [0.05, 0.1], "split": ["valid"], "by": "multi-bleu"} → a decoding of that split for each
/// weight, before the step itself.
std::vector<ExperimentStep> withTuning(ExperimentStep step, const json& value, const std::string& place,
                                       const std::string& file) {
    const char* const key = "languageModelWeight";
    if (step.kind != ExperimentStep::Kind::Decode || !value.contains(key) || !value[key].is_object())
        return {std::move(step)};
    const ExperimentObject from(value[key], place + "." + key, file, {"of", "split", "by"});
    const json& weights = from.list("of");
    if (step.languageModel.empty())
        from.refuse("experiment.missingKey", "of", "a weight belongs to a “languageModel”");
    if (weights.empty())
        from.refuse("experiment.value", "of", "this is a list of weights, at least one");
    std::vector<ExperimentStep> steps;
    step.tunedBy = from.text("by");
    for (const json& weight : weights) {
        if (!weight.is_number())
            from.refuse("experiment.type", "of", "this is a list of numbers");
        ExperimentStep one = step;
        one.tuning.clear(); // of the weights before
        one.tunedBy.clear();
        one.splits = from.texts("split");
        if (one.splits.empty())
            from.refuse("experiment.missingKey", "split", "this key is missing");
        one.name = step.name + "-weight-" + weight.dump();
        std::replace(one.name.begin(), one.name.end(), '.', '_'); // names become names of folders
        one.options.emplace_back("--lm-weight", weight.dump());
        step.tuning.push_back(one.name);
        steps.push_back(std::move(one));
    }
    steps.push_back(std::move(step));
    return steps;
}

ExperimentStep readStep(const json& value, const std::string& place, const std::string& file) {
    static constexpr std::array<std::string_view, 4> kinds{"train", "average", "study", "decode"};
    const Keys common{"name", "kind", "once", "corpus", "task"};
    Keys keys = common;
    const auto add = [&](std::initializer_list<std::string_view> more) { keys.insert(keys.end(), more); };
    const std::string kind = value.is_object() ? value.value("kind", json("")).dump() : "";
    if (kind == "\"train\"")
        add({"architecture", "recipe", "set", "startFrom", "heads", "crossAttention", "features", "attentionDropout", "windows"});
    else if (kind == "\"average\"")
        add({"run", "checkpoints", "around"});
    else if (kind == "\"study\"")
        add({"study", "models", "architectures", "utterances", "settings", "split"});
    else if (kind == "\"decode\"") {
        add({"model", "split", "languageModel"});
        for (const DecodingKey& each : kDecodingKeys)
            keys.push_back(each.key);
    } else if (value.is_object()) { // its own keys are not known: only the kind is wrong
        for (const auto& [key, ignored] : value.items())
            keys.push_back(key);
    }
    const ExperimentObject from(value, place, file, keys);
    ExperimentStep step;
    const std::string word = from.word("kind", kinds);
    step.name = from.text("name");
    step.once = from.truthOr("once", false);
    step.corpus = from.textOr("corpus");
    if (!from.absent("task"))
        step.task = from.word("task", std::array<std::string_view, 5>{"asr", "st", "mt", "lm", "lm_text"});
    if (word == "train") {
        step.kind = ExperimentStep::Kind::Train;
        readTrain(from, step);
    } else if (word == "average") {
        step.kind = ExperimentStep::Kind::Average;
        step.run = from.text("run");
        step.checkpoints = static_cast<int>(from.whole("checkpoints", 1, 100000));
        step.aroundBest = from.word("around", std::array<std::string_view, 2>{"best", "last"}) == "best";
    } else if (word == "study") {
        step.kind = ExperimentStep::Kind::Study;
        readStudyStep(from, step);
    } else {
        step.kind = ExperimentStep::Kind::Decode;
        readDecode(from, step);
    }
    const bool needsData = step.kind == ExperimentStep::Kind::Train || step.kind == ExperimentStep::Kind::Decode ||
                           (step.kind == ExperimentStep::Kind::Study && step.architectures.empty());
    if (needsData && step.corpus.empty())
        from.refuse("experiment.missingKey", "corpus", "this key is missing");
    if (needsData && step.task.empty())
        from.refuse("experiment.missingKey", "task", "this key is missing");
    return step;
}

ExperimentCell readCell(const json& value, const std::string& place, const std::string& file) {
    const ExperimentObject from(value, place, file,
                                {"printed", "std", "step", "value", "where", "against", "recipe", "key", "architecture",
                                 "of", "layer", "phones", "column", "minus", "percent", "meanOf"});
    ExperimentCell cell;
    cell.printed = from.textOr("printed");
    cell.printedDeviation = from.textOr("std");
    cell.step = from.textOr("step");
    cell.value = from.textOr("value");
    cell.where = from.object("where");
    cell.against = from.textOr("against");
    cell.recipe = from.textOr("recipe");
    cell.key = from.textOr("key");
    cell.architecture = from.textOr("architecture");
    cell.of = from.textOr("of");
    if (!from.absent("layer"))
        cell.layer = static_cast<int>(from.whole("layer", 1, 1000));
    cell.phones = from.textOr("phones");
    cell.column = from.textOr("column");
    cell.minus = from.textOr("minus");
    cell.percent = from.truthOr("percent", false);
    cell.meanOf = from.texts("meanOf");
    const int sources = !cell.step.empty() + !cell.recipe.empty() + !cell.architecture.empty() + !cell.phones.empty() +
                        !cell.column.empty() + !cell.meanOf.empty();
    if (sources > 1)
        from.refuse("experiment.value", "step", "a cell has one source: step, recipe, architecture, phones, column or meanOf");
    const auto together = [&](bool first, bool second, const char* key, const char* with) {
        if (first != second)
            from.refuse("experiment.missingKey", key, std::string("this belongs to “") + with + "”");
    };
    together(!cell.step.empty(), !cell.value.empty(), "value", "step");
    together(!cell.recipe.empty(), !cell.key.empty(), "key", "recipe");
    together(!cell.architecture.empty(), !cell.of.empty(), "of", "architecture");
    together(!cell.column.empty(), !cell.minus.empty(), "minus", "column");
    return cell;
}

ExperimentRow readRow(const json& value, const std::string& place, const std::string& file) {
    const ExperimentObject from(value, place, file, {"name", "labels", "cells"});
    ExperimentRow row;
    row.name = from.textOr("name");
    row.labels = from.texts("labels");
    for (const auto& [column, cell] : from.object("cells").items())
        row.cells.emplace_back(column, readCell(cell, from.placeOf("cells." + column), file));
    return row;
}

PublishedSize readPublishedSize(const ExperimentObject& corpus) {
    const ExperimentObject from(corpus.at("size"), corpus.placeOf("size"), corpus.file(),
                                {"utterances", "seconds", "sourceTokens", "targetTokens", "sentences", "sentenceTokens", "source"});
    constexpr double kMost = 1e15;
    const auto number = [&](const char* key) {
        return from.absent(key) ? std::nullopt : std::optional(from.real(key, 0, kMost));
    };
    PublishedSize size;
    size.utterances = static_cast<std::int64_t>(from.real("utterances", 1, kMost));
    size.seconds = number("seconds");
    size.sourceTokens = number("sourceTokens");
    size.targetTokens = number("targetTokens");
    if (const auto sentences = number("sentences"))
        size.sentences = static_cast<std::int64_t>(*sentences);
    size.sentenceTokens = number("sentenceTokens");
    size.source = from.text("source");
    return size;
}

void readLists(const ExperimentObject& from, Experiment& experiment, const std::string& file) {
    const auto each = [&](const char* key, const auto& read) {
        const json& list = from.list(key);
        for (std::size_t i = 0; i < list.size(); ++i)
            read(list[i], std::string(key) + "[" + std::to_string(i) + "]");
    };
    if (!from.absent("corpora"))
        each("corpora", [&](const json& value, const std::string& place) {
            const ExperimentObject one(value, place, file, {"name", "target", "input", "train", "validation", "size"});
            const bool isText = !one.absent("input") && one.word("input", std::array<std::string_view, 2>{"speech", "text"}) == "text";
            experiment.corpora.push_back({one.text("name"), one.textOr("target"), isText, one.texts("train"), one.texts("validation"),
                                          one.absent("size") ? std::nullopt : std::optional(readPublishedSize(one))});
        });
    if (!from.absent("steps"))
        each("steps", [&](const json& value, const std::string& place) {
            for (ExperimentStep& step : withTuning(readStep(value, place, file), value, place, file))
                experiment.steps.push_back(std::move(step));
        });
    each("columns", [&](const json& value, const std::string& place) {
        const ExperimentObject one(value, place, file, {"key", "title", "decimals"});
        experiment.columns.push_back({one.text("key"), one.text("title"), static_cast<int>(one.whole("decimals", 0, 9))});
    });
    each("rows", [&](const json& value, const std::string& place) {
        experiment.rows.push_back(readRow(value, place, file));
    });
}

Experiment readExperimentDocument(const json& document, const std::string& file) {
    const json expanded = expandVariables(document, file);
    const ExperimentObject from(expanded, "", file,
                                {"format", "version", "name", "paper", "table", "title", "needs", "notes", "seeds",
                                 "corpora", "steps", "labels", "columns", "rows"});
    if (from.at("format") != kExperimentFormat)
        from.refuse("experiment.format", "format", std::string("this must be “") + kExperimentFormat + "”");
    if (from.at("version") != 1)
        from.refuse("experiment.format", "version", "this version of the program reads experiments of version 1");
    Experiment experiment;
    experiment.document = document;
    experiment.name = from.text("name");
    experiment.paper = from.text("paper");
    experiment.table = from.text("table");
    experiment.title = from.text("title");
    experiment.needs = from.texts("needs");
    experiment.notes = from.texts("notes");
    experiment.seeds = static_cast<int>(from.whole("seeds", 1, 1000));
    experiment.labels = from.texts("labels");
    readLists(from, experiment, file);
    checkExperiment(experiment, file);
    return experiment;
}

} // namespace

const ExperimentStep* Experiment::find(std::string_view step) const {
    const auto found = std::find_if(steps.begin(), steps.end(), [&](const ExperimentStep& one) { return one.name == step; });
    return found == steps.end() ? nullptr : &*found;
}

const ExperimentCorpus* Experiment::corpus(std::string_view wanted) const {
    const auto found =
        std::find_if(corpora.begin(), corpora.end(), [&](const ExperimentCorpus& one) { return one.name == wanted; });
    return found == corpora.end() ? nullptr : &*found;
}

Experiment parseExperiment(std::string_view text, const std::string& name) {
    return readExperimentDocument(parseStrictObject(text, name, "experiment.badJson"), name);
}

Experiment readExperiment(const std::filesystem::path& file) {
    return parseExperiment(readSmallFile(file, "experiment.missing"), displayName(file));
}

} // namespace headroom
