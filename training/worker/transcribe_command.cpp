// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/features/features.h"
#include "core/text/tokenizer.h"
#include "models/networks/speech_model.h"
#include "training/worker/arguments/decoding_arguments.h"
#include "training/worker/commands.h"
#include "training/worker/recordings.h"

namespace headroom::training {
namespace {

/// The hypotheses of one recording as JSON: [{text, ids, score}]. Greedy decoding has no score.
nlohmann::json hypothesesOf(models::SpeechModel& model, const Matrix<float>& features,
                            const Tokenizer& tokenizer, const TextDecoder& decoder) {
    auto list = nlohmann::json::array();
    if (decoder.settings().isGreedy()) {
        const auto ids = model.greedy(features, static_cast<int>(decoder.settings().beam.maxNewTokens));
        list.push_back({{"text", tokenizer.decode(ids)}, {"ids", ids}, {"score", nullptr}});
        return list;
    }
    DecodingSource source;
    source.decoder = [&] { return model.scorer(features); };
    source.internalLanguageModel = [&] { return model.internalLanguageModel(); };
    source.ctc = [&](std::int64_t) { return model.ctcLogProbabilities(features); };
    const auto found = decoder.decode(source); // of one recording
    for (const TextHypothesis& one : found.front())
        list.push_back({{"text", tokenizer.decode(one.ids)}, {"ids", one.ids}, {"score", known(one.score)}});
    if (list.empty()) // the settings forbid every text
        list.push_back({{"text", ""}, {"ids", nlohmann::json::array()}, {"score", nullptr}});
    return list;
}

/// The line of a hypothesis: NAME, tab, text; of an n-best list also its score.
std::string lineOf(const std::string& name, const nlohmann::json& hypothesis, bool scored) {
    std::string line = name + "\t" + hypothesis["text"].get<std::string>();
    if (scored && hypothesis["score"].is_number()) {
        char score[32];
        std::snprintf(score, sizeof score, "\t%.4f", hypothesis["score"].get<double>());
        line += score;
    }
    return line;
}

} // namespace

void transcribe(const TranscribeOptions& options, Console& console) {
    const auto model = models::SpeechModel::open(options.model);
    if (model->info().tokenizer.empty())
        throw Error("model.noTokenizer", "The model " + options.model.string() +
                                             " has no tokenizer, so its output has no text.");
    const Tokenizer tokenizer(model->info().tokenizer);
    const TextDecoder decoder(options.decoding, model->info());
    const auto one = [&](const std::filesystem::path& audio,
                         const std::optional<std::string>& name) -> nlohmann::json {
        const Matrix<float> features = modelFeatures(loadNoted(audio, console).samples, model->info().architecture.frontEnd.input());
        auto hypotheses = hypothesesOf(*model, features, tokenizer, decoder);
        // Two recordings of one name are told apart by their paths. An n-best list has a line for each text.
        for (const auto& hypothesis : hypotheses)
            console.line(lineOf(name.value_or(audio.string()), hypothesis, options.decoding.nBest > 1));
        return {{"audio", audio.string()}, {"hypotheses", std::move(hypotheses)}, {"error", nullptr}};
    };
    auto rows =
        forEachRecording(options.audio, false, console, {{"hypotheses", nlohmann::json::array()}}, one);
    console.document({{"format", "headroom/transcripts"},
                      {"version", 2},
                      {"model", options.model.string()},
                      {"decoding", decodingDocument(options.decoding)},
                      {"utterances", std::move(rows)}});
}

} // namespace headroom::training
