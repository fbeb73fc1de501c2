// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/study_json.h"

#include "core/runs/strict_json.h"
#include "core/studies/json_fields.h"
#include "core/studies/settings.h"

#include <algorithm>
#include <array>

namespace headroom {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

constexpr const char* kFormat = "headroom/study";
constexpr int kVersion = 1;
constexpr std::array kStates{RunState::Running, RunState::Stopped, RunState::Finished, RunState::Failed};

ordered_json toJson(const StudyModel& model) {
    ordered_json row{{"name", model.name},
                     {"folder", model.folder},
                     {"weightsHash", model.weightsHash},
                     {"architecture", model.architecture},
                     {"layers", model.layers},
                     {"heads", model.heads},
                     {"maps", model.maps},
                     {"clockOffset", model.clockOffset},
                     {"clockStep", model.clockStep}};
    if (model.clockBands != 1)
        row["clockBands"] = model.clockBands;
    return row;
}

StudyModel modelFrom(const JsonFields& read) {
    StudyModel model;
    read("name", model.name);
    read("folder", model.folder);
    read("weightsHash", model.weightsHash);
    read("architecture", model.architecture);
    read("layers", model.layers);
    read("heads", model.heads);
    read("maps", model.maps);
    read("clockOffset", model.clockOffset);
    read("clockStep", model.clockStep);
    read("clockBands", model.clockBands);
    model.clockBands = std::max<std::int64_t>(model.clockBands, 1);
    return model;
}

ordered_json toJson(const StudyUtterance& utterance) {
    ordered_json row{{"id", utterance.id},           {"audio", utterance.audio},
                     {"hash", utterance.hash},       {"alignment", utterance.alignment},
                     {"speaker", utterance.speaker}, {"seconds", utterance.seconds},
                     {"tokens", utterance.tokens},   {"error", utterance.error}};
    if (!utterance.text.empty())
        row["text"] = utterance.text;
    if (!utterance.transcript.empty())
        row["transcript"] = utterance.transcript;
    if (!utterance.translation.empty())
        row["translation"] = utterance.translation;
    return row;
}

StudyUtterance utteranceFrom(const JsonFields& read) {
    StudyUtterance utterance;
    read("id", utterance.id);
    read("audio", utterance.audio);
    read("hash", utterance.hash);
    read("alignment", utterance.alignment);
    read("speaker", utterance.speaker);
    read("seconds", utterance.seconds);
    read("tokens", utterance.tokens);
    read("error", utterance.error);
    read("text", utterance.text);
    read("transcript", utterance.transcript);
    read("translation", utterance.translation);
    return utterance;
}

[[noreturn]] void refuse(const std::string& file, const std::string& what) {
    throw Error("study.value", file + ": " + what, {{"file", file}});
}

/// The objects of a list, each read by `from`.
template <class T>
void readList(const JsonFields& read, const char* key, std::vector<T>& place, T (*from)(const JsonFields&)) {
    for (const json& one : read.array(key)) {
        const auto where = std::string(key) + "[" + std::to_string(place.size() + 1) + "]";
        if (!one.is_object())
            refuse(read.file, "“" + where + "” is not an object.");
        place.push_back(from({one, read.file, where + "."}));
    }
}

void checkFormat(const json& document, const std::string& file) {
    if (document.value("format", json()) != kFormat)
        refuse(file, "“format” is not “headroom/study”: this is not a study.");
    const json version = document.value("version", json());
    if (!version.is_number_integer() || version.get<std::int64_t>() < 1)
        refuse(file, "“version” is not a whole number from 1.");
    if (version.get<std::int64_t>() > kVersion)
        throw Error("study.newer",
                    file + " is of version " + version.dump() +
                        ", written by a newer Headroom; this one reads version " +
                        std::to_string(kVersion) + ".",
                    {{"file", file}, {"version", version}});
}

} // namespace

ordered_json studyDocument(const Study& study) {
    ordered_json document{{"format", kFormat},
                          {"version", kVersion},
                          {"id", study.id},
                          {"kind", toText(study.kind)},
                          {"state", toText(study.state)},
                          {"error", study.error},
                          {"created", study.created},
                          {"ended", study.ended},
                          {"headroom", study.version},
                          {"data", study.data},
                          {"split", study.split},
                          {"task", study.task},
                          {"population", study.population},
                          {"seed", study.seed},
                          {"settings", study.settings}};
    if (!study.device.empty())
        document["device"] = study.device;
    document["models"] = ordered_json::array();
    for (const StudyModel& model : study.models)
        document["models"].push_back(toJson(model));
    document["utterances"] = ordered_json::array();
    for (const StudyUtterance& utterance : study.utterances)
        document["utterances"].push_back(toJson(utterance));
    document["tables"] = ordered_json::array();
    for (const StudyTable& table : study.tables)
        document["tables"].push_back(ordered_json(headroom::toJson(table)));
    document["notes"] = study.notes;
    return document;
}

std::string studyText(const Study& study) {
    return studyDocument(study).dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

Study parseStudy(std::string_view text, const std::string& file) {
    const json document = parseStrictObject(text, file, "study.badJson");
    checkFormat(document, file);
    const JsonFields read{document, file, {}};
    Study study;
    std::string kind, state;
    read("id", study.id);
    read("kind", kind);
    read("state", state);
    read("error", study.error);
    read("created", study.created);
    read("ended", study.ended);
    read("headroom", study.version);
    read("device", study.device);
    read("data", study.data);
    read("split", study.split);
    read("task", study.task);
    read("population", study.population);
    read("seed", study.seed);
    try {
        study.kind = studyKind(kind);
    } catch (const Error& error) {
        refuse(file, error.what());
    }
    const auto known =
        std::find_if(kStates.begin(), kStates.end(), [&](RunState one) { return state == toText(one); });
    if (known == kStates.end())
        refuse(file, "there is no state “" + state + "”.");
    study.state = *known;
    study.settings = document.value("settings", json::object());
    if (!study.settings.is_object())
        refuse(file, "“settings” is not an object.");
    renameEarlierWords(study.kind, study.settings);
    readList(read, "models", study.models, modelFrom);
    readList(read, "utterances", study.utterances, utteranceFrom);
    for (const json& table : read.array("tables"))
        study.tables.push_back(studyTableFrom(table, file));
    for (const json& note : read.array("notes")) {
        if (!note.is_string())
            refuse(file, "“notes” contains an entry that is not a text.");
        study.notes.push_back(note.get<std::string>());
    }
    return study;
}

} // namespace headroom
