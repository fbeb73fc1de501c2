// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer.h"
#include "models/networks/speech_model.h"
#include "training/worker/commands.h"
#include "training/worker/recordings.h"

namespace headroom::training {

void transcribe(const TranscribeOptions& options, Console& console) {
    const auto model = models::SpeechModel::open(options.model);
    if (model->info().tokenizer.empty())
        throw Error("model.noTokenizer", "The model " + options.model.string() +
                                             " has no SentencePiece model, so its output has no text.");
    const Tokenizer tokenizer(model->info().tokenizer);
    const auto names = resultNames(options.audio);
    const auto total = static_cast<std::int64_t>(options.audio.size());
    auto rows = nlohmann::json::array();
    for (std::size_t index = 0; index < options.audio.size(); ++index) {
        const auto& audio = options.audio[index];
        console.progress(static_cast<std::int64_t>(index), total, audio.filename().string());
        nlohmann::json row{{"audio", audio.string()}, {"text", nullptr}, {"error", nullptr}};
        try {
            const auto part = loadPart(audio);
            for (const auto& warning : part.warnings)
                console.note(warning.sentence);
            const auto text = tokenizer.decode(model->greedy(modelFeatures(part.samples)));
            row["text"] = text;
            // Two recordings of one name are told apart by their paths.
            console.line(names[index].value_or(audio.string()) + "\t" + text);
        } catch (const Error& error) {
            row["error"] = sentenceAbout(audio, error);
            console.problem(row["error"].get<std::string>());
        }
        rows.push_back(std::move(row));
    }
    console.document({{"format", "headroom/transcripts"},
                      {"version", 1},
                      {"model", options.model.string()},
                      {"recordings", std::move(rows)}});
}

} // namespace headroom::training
