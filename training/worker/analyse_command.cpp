// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/count_text.h"
#include "core/features/features.h"
#include "core/tensors/atomic_file.h"
#include "core/tensors/npy.h"
#include "training/analysis/analysis_arrays.h"
#include "training/worker/commands.h"
#include "training/worker/recordings.h"

namespace headroom::training {

namespace {

/// The recording's own frames: a model with a fixed window reads some behind them.
Matrix<float> firstRows(const Matrix<float>& features, std::int64_t rows) {
    const auto end = features.values().begin() + rows * static_cast<std::ptrdiff_t>(features.columns());
    return {static_cast<std::size_t>(rows), features.columns(),
            std::vector<float>(features.values().begin(), end)};
}

/// Analyses one recording into `file`; returns its row of summary.json. The file appears only when it is
/// whole.
nlohmann::json analyseOne(models::SpeechModel& model, const std::filesystem::path& audio,
                          const std::filesystem::path& file, const AnalyseOptions& options,
                          Console& console) {
    const auto part = loadNoted(audio, console, options.from, options.to);
    const auto features = modelFeatures(part.samples, model.info().architecture.frontEnd.input());

    models::AnalysisOptions wanted;
    wanted.keepAttention = options.maps;
    wanted.keepStates = options.states;
    NpzWriter npz(file);
    auto layers = nlohmann::json::array();
    const auto result = model.analyse(features, wanted, [&](models::LayerAnalysis&& layer) {
        for (const auto& [name, tensor] : layerArrays(layer))
            npz.add(name, tensor.view());
        for (const auto& [name, tensor] : layerErrors(layer))
            npz.add(name, tensor.view());
        layers.push_back(layerSummary(layer));
    });
    npz.add("features", tensorOf(firstRows(features, result.frames)).view());
    npz.add("token_seconds", tokenSeconds(model.info().clock, result.tokens, part.start).view());
    npz.add("encoder_output", tensorOf(result.encoderOutput).view());
    if (!result.input.empty())
        npz.add("layer.0.states", tensorOf(result.input).view());
    if (!result.ctcIds.empty()) {
        const std::vector<std::int32_t> ids(result.ctcIds.begin(), result.ctcIds.end());
        npz.add("ctc_ids", Tensor::of<std::int32_t>({result.tokens}, ids).view());
    }
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

} // namespace

void analyse(const AnalyseOptions& options, Console& console) {
    const auto model = models::SpeechModel::open(options.model);
    for (const auto& sentence : model->info().report.assumed)
        console.note(sentence);
    if (options.decoder && !model->info().architecture.decoder)
        throw Error("model.noDecoder",
                    model->info().name + " has no decoder. Omit --decoder to analyse its encoder.");
    makeFolder(options.out);
    const auto one = [&](const std::filesystem::path& audio, const std::optional<std::string>& name) {
        auto row = analyseOne(*model, audio, options.out / (*name + ".npz"), options, console);
        console.line(*name + ": " + counted(row["tokens"].get<std::int64_t>(), "token"));
        return row;
    };
    const nlohmann::json failed{
        {"npz", nullptr}, {"frames", nullptr}, {"tokens", nullptr}, {"layers", nlohmann::json::array()}};
    auto rows = forEachRecording(options.audio, true, console, failed, one);
    const nlohmann::json summary{{"format", "headroom/analysis"},
                                 {"version", 1},
                                 {"model", options.model.string()},
                                 {"utterances", std::move(rows)}};
    const auto text = summary.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    writeAtomically(options.out / "summary.json", std::string_view(text), "output.unwritable");
    console.document(summary);
}

} // namespace headroom::training
