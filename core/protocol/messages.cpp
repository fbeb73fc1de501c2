// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/messages.h"

#include "core/protocol/message_fields.h"

#include <algorithm>

namespace headroom::protocol {

using nlohmann::json;

namespace {

constexpr int kMostLayers = 10000;

std::vector<AlignResult::Label> labelsFrom(const Fields& fields, const char* key) {
    json rows;
    fields.required(key, rows);
    const auto isLabel = [](const json& row) {
        return row.is_array() && row.size() == 3 && row[0].is_number() && row[1].is_number() &&
               row[2].is_string();
    };
    if (!rows.is_array() || !std::all_of(rows.begin(), rows.end(), isLabel))
        fields.refuse(key, "a list of [start, end, label]");
    std::vector<AlignResult::Label> labels;
    for (const json& row : rows)
        labels.push_back({row[0].get<double>(), row[1].get<double>(), row[2].get<std::string>()});
    return labels;
}

/// [[start, end]…] in seconds, in order and without overlaps; empty where the field is missing.
std::vector<std::pair<double, double>> spansFrom(const Fields& fields, const char* key) {
    json rows = json::array();
    fields.optional(key, rows);
    std::vector<std::pair<double, double>> spans;
    const char* wanted = "a list of [start, end] in seconds, in order and without overlaps";
    if (!rows.is_array())
        fields.refuse(key, wanted);
    for (const json& row : rows) {
        if (!row.is_array() || row.size() != 2 || !row[0].is_number() || !row[1].is_number())
            fields.refuse(key, wanted);
        const double start = row[0].get<double>(), end = row[1].get<double>();
        if (!(start <= end) || (!spans.empty() && start < spans.back().second))
            fields.refuse(key, wanted);
        spans.emplace_back(start, end);
    }
    return spans;
}

json labelRows(const std::vector<AlignResult::Label>& labels) {
    auto rows = json::array();
    for (const auto& label : labels)
        rows.push_back(json::array({label.start, label.end, label.label}));
    return rows;
}

} // namespace

json Initialize::toJson() const {
    return {{"protocol", protocol}, {"client", client}};
}
Initialize Initialize::from(const json& params) {
    Initialize message;
    const Fields fields = parametersOf(params, kMethod);
    fields.required("protocol", message.protocol);
    fields.optional("client", message.client);
    return message;
}

json InitializeResult::toJson() const {
    auto list = json::array();
    for (const Device& device : devices)
        list.push_back({{"name", device.name}, {"description", device.description}});
    return {{"protocol", protocol},      {"version", version}, {"build", build},
            {"devices", std::move(list)}, {"threads", threads}, {"memoryBytes", memoryBytes}};
}
InitializeResult InitializeResult::from(const json& result) {
    InitializeResult message;
    const Fields fields = resultOf(result, Initialize::kMethod);
    fields.required("protocol", message.protocol);
    fields.optional("version", message.version);
    fields.optional("build", message.build);
    fields.optional("threads", message.threads);
    double bytes = 0; // 8e9 is a number of bytes too
    fields.optional("memoryBytes", bytes);
    message.memoryBytes = static_cast<std::int64_t>(std::clamp(bytes, 0.0, 9e18));
    eachOf(fields, "devices", Initialize::kMethod, false, [&](const Fields& one) {
        Device& device = message.devices.emplace_back();
        one.required("name", device.name);
        one.optional("description", device.description);
    });
    return message;
}

json OpenModel::toJson() const {
    return {{"folder", folder}};
}
OpenModel OpenModel::from(const json& params) {
    OpenModel message;
    parametersOf(params, kMethod).required("folder", message.folder);
    return message;
}

json OpenModelResult::toJson() const {
    json clock = {{"offset", clockOffset}, {"step", clockStep}};
    if (clockBands != 1)
        clock["bands"] = clockBands;
    auto wrong = json::array();
    for (const WrongShape& one : report.wrongShape)
        wrong.push_back({{"name", one.name}, {"expected", one.expected}, {"found", one.found}});
    return {{"model", model},
            {"name", name},
            {"architecture", architecture},
            {"clock", std::move(clock)},
            {"maxSourceFrames", maxSourceFrames},
            {"parameters", parameters},
            {"tensors", tensors},
            {"storedAs", storedAs},
            {"hash", hash},
            {"report",
             {{"loaded", report.loaded},
              {"missing", report.missing},
              {"unexpected", report.unexpected},
              {"wrongShape", std::move(wrong)},
              {"assumed", report.assumed}}}};
}
OpenModelResult OpenModelResult::from(const json& result) {
    OpenModelResult message;
    const Fields fields = resultOf(result, OpenModel::kMethod);
    fields.required("model", message.model);
    fields.required("architecture", message.architecture);
    json clock, report = json::object();
    fields.required("clock", clock);
    const Fields clockFields(clock, "the field “clock” of the result of openModel");
    clockFields.required("offset", message.clockOffset);
    clockFields.required("step", message.clockStep);
    if (!(message.clockStep > 0))
        clockFields.refuse("step", "above 0");
    clockFields.optional("bands", message.clockBands);
    if (message.clockBands < 1)
        clockFields.refuse("bands", "at least 1");
    fields.optional("name", message.name);
    fields.optional("maxSourceFrames", message.maxSourceFrames);
    fields.optional("parameters", message.parameters);
    fields.optional("tensors", message.tensors);
    fields.optional("storedAs", message.storedAs);
    fields.optional("hash", message.hash);
    fields.optional("report", report);
    const Fields reported(report, "the field “report” of the result of openModel");
    reported.optional("loaded", message.report.loaded);
    reported.optional("missing", message.report.missing);
    reported.optional("unexpected", message.report.unexpected);
    reported.optional("assumed", message.report.assumed);
    eachOf(reported, "wrongShape", OpenModel::kMethod, false, [&](const Fields& one) {
        WrongShape& wrong = message.report.wrongShape.emplace_back();
        one.required("name", wrong.name);
        one.optional("expected", wrong.expected);
        one.optional("found", wrong.found);
    });
    return message;
}

json CloseModel::toJson() const {
    return {{"model", model}};
}
CloseModel CloseModel::from(const json& params) {
    CloseModel message;
    parametersOf(params, kMethod).required("model", message.model);
    return message;
}

json Analyse::toJson() const {
    json params{{"model", model}};
    if (!tag.empty())
        params["tag"] = tag;
    if (!layers.empty())
        params["layers"] = layers;
    if (attention)
        params["attention"] = true;
    if (transcribe)
        params["transcribe"] = true;
    if (!explain)
        params["explain"] = false;
    if (!mixing.empty())
        params["mixing"] = mixing;
    if (!units.empty())
        params["units"] = units;
    if (!source.empty())
        params["source"] = source;
    if (!small.empty())
        params["small"] = small;
    if (!states)
        params["states"] = false;
    return params;
}
Analyse Analyse::from(const json& params) {
    Analyse message;
    const Fields fields = parametersOf(params, kMethod);
    fields.required("model", message.model);
    for (const auto& [key, layers] : {std::pair("layers", &message.layers), std::pair("small", &message.small)}) {
        fields.optional(key, *layers);
        if (std::ranges::any_of(*layers, [](int layer) { return layer < 1; }))
            fields.refuse(key, "a list of whole numbers from 1");
    }
    fields.optional("states", message.states);
    fields.optional("attention", message.attention);
    fields.optional("transcribe", message.transcribe);
    fields.optional("explain", message.explain);
    fields.optional("mixing", message.mixing);
    message.units = spansFrom(fields, "units");
    fields.optional("source", message.source);
    message.tag = tagOf(params);
    return message;
}
std::string Analyse::tagOf(const json& params) {
    const auto found = params.find("tag");
    if (found == params.end())
        return {};
    return found->is_string() ? found->get<std::string>() : found->dump();
}

json AnalyseResult::toJson() const {
    json result{{"frames", frames}, {"tokens", tokens}, {"milliseconds", numberOrNull(milliseconds)}};
    if (hasText)
        result["text"] = text;
    if (!sourcePieces.empty())
        result["sourcePieces"] = sourcePieces;
    if (!warning.empty())
        result["warning"] = warning;
    return result;
}
AnalyseResult AnalyseResult::from(const json& result) {
    AnalyseResult message;
    const Fields fields = resultOf(result, Analyse::kMethod);
    fields.optional("frames", message.frames);
    fields.optional("tokens", message.tokens);
    fields.numberOrNull("milliseconds", message.milliseconds);
    message.hasText = result.contains("text");
    fields.optional("text", message.text);
    fields.optional("sourcePieces", message.sourcePieces);
    fields.optional("warning", message.warning);
    return message;
}

json Transcribe::toJson() const {
    json params{{"model", model}};
    if (!source.empty())
        params["source"] = source;
    return params;
}
Transcribe Transcribe::from(const json& params) {
    Transcribe message;
    const Fields fields = parametersOf(params, kMethod);
    fields.required("model", message.model);
    fields.optional("source", message.source);
    return message;
}

json TranscribeResult::toJson() const {
    return {{"text", text}, {"ids", ids}};
}
TranscribeResult TranscribeResult::from(const json& result) {
    TranscribeResult message;
    const Fields fields = resultOf(result, Transcribe::kMethod);
    fields.required("text", message.text);
    fields.optional("ids", message.ids);
    return message;
}

json Align::toJson() const {
    return {{"text", text}};
}
Align Align::from(const json& params) {
    Align message;
    parametersOf(params, kMethod).required("text", message.text);
    return message;
}

json AlignResult::toJson() const {
    auto list = json::array();
    for (const Remark& warning : warnings)
        list.push_back({{"code", warning.code}, {"sentence", warning.sentence}});
    return {{"words", labelRows(words)},
            {"phones", labelRows(phones)},
            {"origin", origin},
            {"confidence", numberOrNull(confidence)},
            {"warnings", std::move(list)}};
}
AlignResult AlignResult::from(const json& result) {
    AlignResult message;
    const Fields fields = resultOf(result, Align::kMethod);
    message.words = labelsFrom(fields, "words");
    message.phones = labelsFrom(fields, "phones");
    fields.required("origin", message.origin);
    fields.numberOrNull("confidence", message.confidence);
    eachOf(fields, "warnings", Align::kMethod, true, [&](const Fields& one) {
        Remark& warning = message.warnings.emplace_back();
        one.optional("code", warning.code);
        one.required("sentence", warning.sentence);
    });
    return message;
}

json LayerReady::toJson() const {
    json params{{"request", request},
            {"layer", layer},
            {"D1", numberOrNull(d1)},
            {"CCD", numberOrNull(ccd)},
            {"rebuildError", numberOrNull(rebuildError)},
            {"gramError", numberOrNull(gramError)},
            {"rowSumError", numberOrNull(rowSumError)},
            {"reason", reason.empty() ? json() : json(reason)}};
    for (const auto& [name, why] : mixing)
        params["mixing"][name] = why.empty() ? json() : json(why);
    return params;
}
LayerReady LayerReady::from(const json& params) {
    LayerReady message;
    const Fields fields = notificationOf(params, kMethod);
    fields.optional("request", message.request);
    fields.required("layer", message.layer);
    if (message.layer < 1 || message.layer > kMostLayers)
        fields.refuse("layer", "a whole number from 1 to " + std::to_string(kMostLayers));
    fields.numberOrNull("D1", message.d1);
    fields.numberOrNull("CCD", message.ccd);
    fields.numberOrNull("rebuildError", message.rebuildError);
    fields.numberOrNull("gramError", message.gramError);
    fields.numberOrNull("rowSumError", message.rowSumError);
    fields.textOrNull("reason", message.reason);
    json mixing = json::object();
    fields.optional("mixing", mixing);
    if (!mixing.is_object())
        fields.refuse("mixing", "an object of texts");
    const Fields reasons(mixing, "the field “mixing” of the notification layer");
    for (const auto& item : mixing.items())
        reasons.textOrNull(item.key().c_str(), message.mixing[item.key()]);
    return message;
}

json RequestProgress::toJson() const {
    return {{"request", request}, {"stage", stage}, {"done", done}, {"total", total}};
}
RequestProgress RequestProgress::from(const json& params) {
    RequestProgress message;
    const Fields fields = notificationOf(params, kMethod);
    fields.required("request", message.request);
    fields.required("stage", message.stage);
    fields.required("done", message.done);
    fields.required("total", message.total);
    return message;
}

json Cancel::toJson() const {
    return {{"request", request}};
}
Cancel Cancel::from(const json& params) {
    Cancel message;
    notificationOf(params, kMethod).required("request", message.request);
    return message;
}

} // namespace headroom::protocol
