// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/costs.h"
#include "core/architecture/usual_length.h"
#include "core/errors/count_text.h"
#include "core/model_folders/language_adapter.h"
#include "models/networks/speech_model.h"
#include "training/worker/commands.h"

#include <algorithm>
#include <cstdio>
#include <limits>

namespace headroom::training {

namespace {

constexpr int kLengths[] = {1, 5, 10, 20, 30, 60};          // seconds of speech
constexpr std::int64_t kTokens[] = {10, 50, 100, 200, 500}; // of a language model or a text model

template <class... Values>
std::string row(const char* format, Values... values) {
    char text[200];
    std::snprintf(text, sizeof text, format, values...);
    return text;
}

nlohmann::json partsOf(const std::vector<PartCost>& parts) {
    auto result = nlohmann::json::array();
    for (const auto& part : parts)
        result.push_back({{"part", part.part}, {"count", part.count}});
    return result;
}

nlohmann::json layersOf(const Costs& parameters, const EncoderCosts& costs) {
    auto result = nlohmann::json::array();
    for (std::size_t i = 0; i < costs.layers.size(); ++i) {
        const LayerCosts& layer = costs.layers[i];
        result.push_back({{"parameters", parameters.layers[i]},
                          {"macs", layer.macs},
                          {"attentionMacs", layer.attentionMacs},
                          {"attentionMapBytes", layer.attentionMapBytes},
                          {"activationBytes", layer.activationBytes}});
    }
    return result;
}

/// One document per length: seconds of speech, or tokens of a language model or of a source text. `limit`:
/// the most frames that the model accepts. Where no usual length fits, the limit is the only one.
nlohmann::json lengths(const Architecture& architecture, const Costs& parameters, std::int64_t limit) {
    auto result = nlohmann::json::array();
    const auto add = [&](const nlohmann::json& seconds, std::int64_t frames) {
        const auto costs = encoderCosts(architecture, frames);
        result.push_back({{"seconds", seconds},
                          {"frames", costs.frames},
                          {"tokens", costs.tokens},
                          {"macs", costs.macs},
                          {"attentionMacs", costs.attentionMacs},
                          {"attentionMapBytes", costs.attentionMapBytes},
                          {"activationBytes", costs.activationBytes},
                          {"parts", partsOf(costs.macParts)},
                          {"layers", layersOf(parameters, costs)}});
    };
    if (readsText(architecture)) {
        for (const std::int64_t tokens : kTokens)
            if (tokens <= limit)
                add(nullptr, tokens);
        if (result.empty())
            add(nullptr, limit);
        return result;
    }
    const ModelInput input = architecture.frontEnd.input();
    limit = std::min(limit, input.window().value_or(limit));
    for (const int seconds : kLengths)
        if (const Frames frames = input.frameCount(Samples(std::int64_t(seconds) * kModelSampleRate.hertz()));
            frames.value() - input.rowsBehind() <= limit)
            add(seconds, frames.value());
    if (result.empty())
        add(input.clock().step().value() * static_cast<double>(limit - 1) + input.clock().length().value(),
            limit);
    return result;
}

nlohmann::json modelRow(const models::ModelInfo& info) {
    nlohmann::json clock = {{"offset", info.clock.offset().value()}, {"step", info.clock.step().value()}};
    if (info.clock.bands() != 1)
        clock["bands"] = info.clock.bands();
    return {{"folder", info.folder.string()},
            {"tensors", info.tensors},
            {"parameters", info.parameters},
            {"storedAs", info.storedAs},
            {"hash", info.weightsHash},
            {"maxSourceFrames", info.maxSourceFrames},
            {"clock", std::move(clock)}};
}

/// Parameters by part, and MACs of each part at every length: one column per length.
void printParts(const nlohmann::json& document, Console& console) {
    const auto& byLength = document["lengths"];
    std::string head = "part                    parameters";
    for (const auto& length : byLength)
        head += length["seconds"].is_null() ? row("%10lld t", length["tokens"].get<long long>())
                                            : row("%10.3g s", length["seconds"].get<double>());
    console.line(head + "  (GMAC)");
    std::vector<std::string> names;
    const auto note = [&](const nlohmann::json& parts) {
        for (const auto& part : parts)
            if (const auto name = part["part"].get<std::string>();
                std::find(names.begin(), names.end(), name) == names.end())
                names.push_back(name);
    };
    note(document["parts"]);
    note(byLength.back()["parts"]);
    const auto countIn = [](const nlohmann::json& parts, const std::string& name) {
        for (const auto& part : parts)
            if (part["part"] == name)
                return part["count"].get<std::int64_t>();
        return std::int64_t(0);
    };
    const auto print = [&](const std::string& name, std::int64_t parameters, const std::vector<std::string>& parts) {
        auto line = row("%-21s %12s", name.c_str(), parameters > 0 ? grouped(parameters).c_str() : "");
        for (const auto& length : byLength) {
            std::int64_t macs = 0;
            for (const auto& part : parts)
                macs += countIn(length["parts"], part);
            line += macs > 0 ? row("%12.3f", static_cast<double>(macs) / 1e9) : row("%12s", "");
        }
        while (line.back() == ' ')
            line.pop_back();
        console.line(line);
    };
    for (const auto& name : names) {
        if (name == "projections")
            continue;
        // Attention includes its projections, which have its parameters, as in the window's Parts.
        print(name, countIn(document["parts"], name), name == "attention" ? std::vector<std::string>{name, "projections"} : std::vector{name});
        if (name != "attention")
            continue;
        print("  projections", 0, {"projections"});
        print("  maps (scores, AV)", 0, {"attention"});
    }
}

bool hasStoredPositions(const nlohmann::json& architecture) {
    const auto encoder = architecture.find("encoder"); // a language model has none
    return encoder != architecture.end() && encoder->value("positions", "") == "stored";
}

void print(const nlohmann::json& document, Console& console) {
    const auto number = [&](const char* key) { return grouped(document[key].get<std::int64_t>()); };
    console.line(document["name"].get<std::string>());
    console.line("parameters  " + number("parameters") + "  (encoder " + number("encoderParameters") +
                 ", of which front end " + number("frontEndParameters") + ", decoder " +
                 number("decoderParameters") + ")");
    if (!document["publishedParameters"].is_null())
        console.line("published   " + number("publishedParameters") +
                     (document["publishedParametersWithout"].is_null() ? "" : " without the front end") +
                     "; counted the same way " + number("comparableParameters"));
    if (const auto& model = document["model"]; !model.is_null())
        console.line("stored      " + grouped(model["parameters"].get<std::int64_t>()) + " parameters in " +
                     grouped(model["tensors"].get<std::int64_t>()) + " tensors, " +
                     model["storedAs"].get<std::string>() +
                     (hasStoredPositions(document["architecture"]) ? ", beside the positions, which are not trained" : ""));
    console.line("seconds  tokens     GMAC       maps GMAC  attention maps MB  kept to train MB");
    for (const auto& length : document["lengths"]) {
        const auto seconds =
            length["seconds"].is_null() ? row("%7s", "–") : row("%7.3g", length["seconds"].get<double>());
        console.line(seconds + row(" %7lld %8.3f %15.3f %18.2f %17.2f", length["tokens"].get<long long>(),
                                   length["macs"].get<double>() / 1e9,
                                   length["attentionMacs"].get<double>() / 1e9,
                                   length["attentionMapBytes"].get<double>() / 1e6,
                                   length["activationBytes"].get<double>() / 1e6));
    }
    if (!document["lengths"].empty() && document["lengths"].back()["activationBytes"] < document["lengths"].back()["attentionMapBytes"])
        console.note("Training keeps less than the maps: without attention dropout the fused kernel stores no map of a full head.");
    printParts(document, console);
}

} // namespace

void describe(const std::filesystem::path& described, Console& console) {
    Architecture architecture;
    nlohmann::json model;
    std::int64_t limit = std::numeric_limits<std::int64_t>::max();
    if (std::filesystem::is_directory(described) || !languageOfAdapter(described).empty()) {
        const auto opened = models::SpeechModel::open(described);
        architecture = opened->info().architecture;
        model = modelRow(opened->info());
        limit = opened->info().maxSourceFrames;
        for (const auto& sentence : opened->info().report.assumed)
            console.note(sentence);
    } else {
        architecture = readArchitecture(described);
    }
    const auto costs = parameterCosts(architecture);
    const nlohmann::json document{
        {"format", "headroom/description"},
        {"version", 1},
        {"name", architecture.name},
        {"source", architecture.source},
        {"architecture", nlohmann::json::parse(canonicalText(architecture))},
        {"parameters", costs.parameters},
        {"encoderParameters", costs.encoderParameters},
        {"decoderParameters", costs.decoderParameters},
        {"frontEndParameters", costs.frontEndParameters},
        {"parts", partsOf(costs.parts)},
        {"publishedParameters", architecture.publishedParameters
                                    ? nlohmann::json(*architecture.publishedParameters)
                                    : nlohmann::json(nullptr)},
        {"publishedParametersWithout",
         architecture.publishedWithoutFrontEnd ? nlohmann::json("frontEnd") : nlohmann::json(nullptr)},
        {"comparableParameters", costs.comparableParameters},
        {"lengths", lengths(architecture, costs, limit)},
        {"reason", nullptr}, // everything that is read can be counted, or is refused above
        {"model", model}};
    print(document, console);
    console.document(document);
}

} // namespace headroom::training
