// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/features/features.h"
#include "core/text/tokenizer.h"
#include "models/networks/speech_model.h"
#include "training/worker/commands.h"
#include "training/worker/recordings.h"

namespace headroom::training {

void transcribe(const TranscribeOptions& options, Console& console) {
    const auto model = models::SpeechModel::open(options.model);
    if (model->info().tokenizer.empty())
        throw Error("model.noTokenizer", "The model " + options.model.string() +
                                             " has no tokenizer, so its output has no text.");
    const Tokenizer tokenizer(model->info().tokenizer);
    const auto one = [&](const std::filesystem::path& audio,
                         const std::optional<std::string>& name) -> nlohmann::json {
        const auto features =
            modelFeatures(loadNoted(audio, console).samples, model->info().architecture.frontEnd.input());
        const auto text = tokenizer.decode(model->greedy(features));
        // Two recordings of one name are told apart by their paths.
        console.line(name.value_or(audio.string()) + "\t" + text);
        return {{"audio", audio.string()}, {"text", text}, {"error", nullptr}};
    };
    auto rows = forEachRecording(options.audio, false, console, {{"text", nullptr}}, one);
    console.document({{"format", "headroom/transcripts"},
                      {"version", 1},
                      {"model", options.model.string()},
                      {"recordings", std::move(rows)}});
}

} // namespace headroom::training
