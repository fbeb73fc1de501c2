// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/costs.h"
#include "core/errors/count_text.h"
#include "models/networks/speech_model.h"
#include "training/worker/commands.h"

#include <cstdio>

namespace headroom::training {

namespace {

constexpr int kLengths[] = {1, 5, 10, 20, 30, 60}; // seconds of speech

std::string row(const char* format, double one, std::int64_t two, double three, double four, double five) {
    char text[160];
    std::snprintf(text, sizeof text, format, one, static_cast<long long>(two), three, four, five);
    return text;
}

/// One document per length; [] with a sentence in `reason` where a kind of head has no formula yet.
nlohmann::json lengths(const Architecture& architecture, nlohmann::json& reason) {
    auto result = nlohmann::json::array();
    for (const int seconds : kLengths) {
        const auto frames = FrameClock().frameCount(Samples(std::int64_t(seconds) * kModelSampleRate.hertz()),
                                                    kModelSampleRate);
        try {
            const auto costs = encoderCosts(architecture, frames.value());
            result.push_back({{"seconds", seconds},
                              {"frames", costs.frames},
                              {"tokens", costs.tokens},
                              {"macs", costs.macs},
                              {"attentionMacs", costs.attentionMacs},
                              {"attentionMapBytes", costs.attentionMapBytes}});
        } catch (const Error& error) {
            reason = error.what();
            return nlohmann::json::array();
        }
    }
    return result;
}

nlohmann::json modelRow(const models::ModelInfo& info) {
    return {{"folder", info.folder.string()},
            {"tensors", info.tensors},
            {"parameters", info.parameters},
            {"storedAs", info.storedAs},
            {"hash", info.weightsHash},
            {"maxSourceFrames", info.maxSourceFrames},
            {"clock", {{"offset", info.clock.offset().value()}, {"step", info.clock.step().value()}}}};
}

void print(const nlohmann::json& document, Console& console) {
    const auto number = [&](const char* key) { return grouped(document[key].get<std::int64_t>()); };
    console.line(document["name"].get<std::string>());
    console.line("parameters  " + number("parameters") + "  (encoder " + number("encoderParameters") +
                 ", decoder " + number("decoderParameters") + ")");
    if (const auto& model = document["model"]; !model.is_null())
        console.line("stored      " + grouped(model["parameters"].get<std::int64_t>()) + " parameters in " +
                     grouped(model["tensors"].get<std::int64_t>()) + " tensors, " +
                     model["storedAs"].get<std::string>());
    if (!document["reason"].is_null()) {
        console.line(document["reason"].get<std::string>());
        return;
    }
    console.line("seconds  tokens     GMAC  attention GMAC  attention maps MB");
    for (const auto& length : document["lengths"])
        console.line(row("%7.0f %7lld %8.3f %15.3f %18.2f", length["seconds"].get<double>(),
                         length["tokens"].get<std::int64_t>(), length["macs"].get<double>() / 1e9,
                         length["attentionMacs"].get<double>() / 1e9,
                         length["attentionMapBytes"].get<double>() / 1e6));
}

} // namespace

void describe(const std::filesystem::path& described, Console& console) {
    Architecture architecture;
    nlohmann::json model;
    if (std::filesystem::is_directory(described)) {
        const auto opened = models::SpeechModel::open(described);
        architecture = opened->info().architecture;
        model = modelRow(opened->info());
        for (const auto& sentence : opened->info().report.assumed)
            console.note(sentence);
    } else {
        architecture = readArchitecture(described);
    }
    const auto costs = parameterCosts(architecture);
    nlohmann::json reason;
    auto byLength = lengths(architecture, reason);
    const nlohmann::json document{
        {"format", "headroom/description"},
        {"version", 1},
        {"name", architecture.name},
        {"source", architecture.source},
        {"architecture", nlohmann::json::parse(canonicalText(architecture))},
        {"parameters", costs.parameters},
        {"encoderParameters", costs.encoderParameters},
        {"decoderParameters", costs.decoderParameters},
        {"publishedParameters", architecture.publishedParameters
                                    ? nlohmann::json(*architecture.publishedParameters)
                                    : nlohmann::json(nullptr)},
        {"lengths", std::move(byLength)},
        {"reason", reason},
        {"model", model}};
    print(document, console);
    console.document(document);
}

} // namespace headroom::training
