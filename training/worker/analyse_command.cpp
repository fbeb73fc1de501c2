// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/count_text.h"
#include "core/tensors/atomic_file.h"
#include "core/tensors/npy.h"
#include "training/worker/analysis_arrays.h"
#include "training/worker/commands.h"
#include "training/worker/recordings.h"

namespace headroom::training {

namespace {

/// Analyses one recording into `file`; returns its row of summary.json. The file appears only when it is
/// whole.
nlohmann::json analyseOne(models::SpeechModel& model, const std::filesystem::path& audio,
                          const std::filesystem::path& file, const AnalyseOptions& options,
                          Console& console) {
    const auto part = loadPart(audio, options.from, options.to);
    for (const auto& warning : part.warnings)
        console.note(warning.sentence);
    const auto features = modelFeatures(part.samples);

    models::AnalysisOptions wanted;
    wanted.keepAttention = options.maps;
    NpzWriter npz(file);
    npz.add("features", tensorOf(features).view());
    auto layers = nlohmann::json::array();
    const auto result = model.analyse(features, wanted, [&](models::LayerAnalysis&& layer) {
        for (const auto& [name, tensor] : layerArrays(layer))
            npz.add(name, tensor.view());
        for (const auto& [name, tensor] : layerErrors(layer))
            npz.add(name, tensor.view());
        layers.push_back(layerSummary(layer));
    });
    npz.add("token_seconds", tokenSeconds(model.info().clock, result.tokens, part.start).view());
    npz.add("encoder_output", tensorOf(result.encoderOutput).view());
    nlohmann::json row{{"audio", audio.string()}, {"npz", file.filename().string()},
                       {"frames", result.frames}, {"tokens", result.tokens},
                       {"error", nullptr},        {"layers", std::move(layers)}};
    if (options.decoder) {
        auto decoder = nlohmann::json::array();
        const auto written =
            model.analyseDecoder(features, {}, wanted, [&](models::DecoderLayerAnalysis&& layer) {
                for (const auto& [name, tensor] : decoderArrays(layer))
                    npz.add(name, tensor.view());
                decoder.push_back(decoderSummary(layer));
            });
        for (const auto& [name, tensor] : decoderTokens(written))
            npz.add(name, tensor.view());
        row["decoder"] = {{"targets", written.inputs.size()}, {"layers", std::move(decoder)}};
    }
    npz.close();
    return row;
}

nlohmann::json failedRow(const std::filesystem::path& audio, const std::string& sentence) {
    return {{"audio", audio.string()}, {"npz", nullptr},    {"frames", nullptr},
            {"tokens", nullptr},       {"error", sentence}, {"layers", nlohmann::json::array()}};
}

} // namespace

void analyse(const AnalyseOptions& options, Console& console) {
    const auto model = models::SpeechModel::open(options.model);
    for (const auto& sentence : model->info().report.assumed)
        console.note(sentence);
    if (options.decoder && !model->info().architecture.decoder)
        throw Error("model.noDecoder",
                    model->info().name + " has no decoder: leave out --decoder to analyse its encoder.");
    makeFolder(options.out);
    const auto names = resultNames(options.audio);
    const auto total = static_cast<std::int64_t>(options.audio.size());
    auto rows = nlohmann::json::array();
    for (std::size_t index = 0; index < options.audio.size(); ++index) {
        const auto& audio = options.audio[index];
        console.progress(static_cast<std::int64_t>(index), total, audio.filename().string());
        std::string sentence;
        try {
            if (!names[index])
                throw Error("output.nameTaken", nameTaken(audio));
            rows.push_back(
                analyseOne(*model, audio, options.out / (*names[index] + ".npz"), options, console));
            console.line(*names[index] + ": " + counted(rows.back()["tokens"].get<std::int64_t>(), "token"));
            continue;
        } catch (const Error& error) {
            sentence = sentenceAbout(audio, error);
        } catch (const std::bad_alloc&) {
            sentence = audio.string() + " does not fit into the memory of this machine.";
        }
        console.problem(sentence);
        rows.push_back(failedRow(audio, sentence));
    }
    const nlohmann::json summary{{"format", "headroom/analysis"},
                                 {"version", 1},
                                 {"model", options.model.string()},
                                 {"utterances", std::move(rows)}};
    const auto text = summary.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    writeAtomically(options.out / "summary.json", std::string_view(text), "output.unwritable");
    console.document(summary);
}

} // namespace headroom::training
