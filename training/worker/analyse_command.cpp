// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/readers.h"
#include "core/architecture/language_layers.h"
#include "core/errors/count_text.h"
#include "core/tensors/atomic_file.h"
#include "core/tensors/npy.h"
#include "core/text/tokenizer.h"
#include "models/checkpoints/model_folder.h"
#include "models/contributions/memory.h"
#include "models/networks/recording_limits.h"
#include "training/analysis/analysis_arrays.h"
#include "training/analysis/text_attention.h"
#include "training/worker/commands.h"
#include "training/worker/recordings.h"

#include <map>
#include <optional>

namespace headroom::training {

namespace {

/// The recording's own frames: a model with a fixed window reads some behind them.
Matrix<float> firstRows(const Matrix<float>& features, std::int64_t rows) {
    const auto end = features.values().begin() + rows * static_cast<std::ptrdiff_t>(features.columns());
    return {static_cast<std::size_t>(rows), features.columns(),
            std::vector<float>(features.values().begin(), end)};
}

/// What is looked at as one in this recording: the intervals of its alignment, or tokens. Throws Error
/// "mixing.noAlignment".
std::vector<Interval> unitIntervals(const std::filesystem::path& audio, const std::string& units) {
    const auto file = alignmentBeside(audio);
    const std::string instead = " Put a TextGrid beside it (headroom-worker align makes one), or use --units tokens.";
    if (file.empty())
        throw Error("mixing.noAlignment", audio.string() + " has no alignment with " + units + "." + instead);
    constexpr Seconds kWhole(1e9); // the model cuts what lies behind its tokens
    Alignment alignment = readAlignment(file, audio.stem().string(), kWhole);
    auto& intervals = units == "phones" ? alignment.phones : alignment.words;
    if (intervals.empty())
        throw Error("mixing.noAlignment", file.string() + " has no " + units + "." + instead);
    return std::move(intervals);
}

/// The measures that were asked for, and the units that the recording turned out to have.
MixingOptions mixingOf(const AnalyseOptions& options, const std::filesystem::path& audio, const TokenClock& clock,
                       std::vector<TokenUnit>& found) {
    MixingOptions mixing;
    if (options.mixing.empty())
        return mixing;
    mixing.measures = mixingMeasures(options.mixing);
    mixing.pooling = options.pooling == "maximum" ? UnitPooling::Maximum : UnitPooling::Mean;
    if (options.units != "tokens")
        mixing.units = [intervals = unitIntervals(audio, options.units), clock, &found](std::int64_t tokens) {
            found = tokenUnits(intervals, clock, tokens);
            return found;
        };
    return mixing;
}

Tensor unitsTensor(const std::vector<TokenUnit>& units) {
    std::vector<std::int64_t> ends;
    for (const TokenUnit& unit : units)
        ends.insert(ends.end(), {unit.first, unit.end});
    return Tensor::of<std::int64_t>({static_cast<std::int64_t>(units.size()), 2}, ends);
}

/// What the model reads: of a recording from its part that was asked for, of a text the tokens of one line.
struct AnalysedInput {
    Matrix<float> features;
    Seconds start{};
};

/// The sentences of text files by a path that names file and line, "news.txt:3"; a file of one line has its own path.
/// One that cannot be read stands alone and fails when its turn comes.
class TextFiles {
public:
    explicit TextFiles(const models::ModelInfo& model) {
        if (model.architecture.frontEnd.reads != InputKind::Text)
            return;
        if (model.sourceTokenizer.empty())
            throw Error("model.noTokenizer",
                        "The model " + model.folder.string() + " has no tokenizer, so it cannot read text.");
        m_tokenizer.emplace(model.sourceTokenizer);
    }

    std::vector<std::filesystem::path> paths(const std::vector<std::filesystem::path>& files) {
        if (!m_tokenizer)
            return files;
        std::vector<std::filesystem::path> result;
        for (const auto& file : files)
            try {
                const auto sentences = sentencesIn(file);
                for (std::size_t i = 0; i < sentences.size(); ++i) {
                    if (sentences[i].empty())
                        continue;
                    const std::string line = sentences.size() == 1 ? "" : ":" + std::to_string(i + 1);
                    result.emplace_back(file.string() + line);
                    m_sentences[result.back()] = sentences[i];
                }
            } catch (const Error&) {
                result.push_back(file);
            }
        return result;
    }

    AnalysedInput read(const std::filesystem::path& path, const models::ModelInfo& model, const AnalyseOptions& options,
                       Console& console) const {
        if (!m_tokenizer) {
            const auto part = loadNoted(path, console, options.from, options.to);
            return {models::featuresOf(model, part.samples), part.start};
        }
        const auto found = m_sentences.find(path);
        if (found == m_sentences.end()) {
            sentencesIn(path);
            throw Error("corpus.emptyText", path.string() + " has no text.");
        }
        return {sourceFeatures(model.architecture, m_tokenizer->encode(found->second))};
    }

private:
    std::optional<Tokenizer> m_tokenizer; ///< of a model that reads text
    std::map<std::filesystem::path, std::string> m_sentences;
};

/// What the decoder says if it is told the language; empty, for what it says by itself, if it is not.
std::vector<int> textIn(const std::string& language, models::SpeechModel& model,
                        const Matrix<float>& features) {
    if (language.empty() || !model.info().architecture.decoder)
        return {};
    models::TextRequest request;
    request.language = language;
    models::WrittenText text = model.write(features, request);
    std::vector<int> ids = std::move(text.prompt);
    ids.insert(ids.end(), text.ids.begin(), text.ids.end());
    ids.pop_back();
    return ids;
}

/// What a long recording takes, before it is analysed. What does not fit is refused with the same number.
void sayMemory(const models::ModelInfo& info, std::int64_t rows, const models::AnalysisOptions& wanted,
               Console& console) {
    const ModelInput input = info.architecture.frontEnd.input();
    if (info.architecture.languageModel || input.kind == InputKind::Text)
        return;
    const std::int64_t needed = models::analysisBytes(info.architecture, rows, wanted),
                       available = models::freeMemoryToCompute();
    const double seconds = static_cast<double>(rows - input.rowsBehind()) * input.clock().step().value();
    if (const std::string sentence = models::memorySentence(needed, available, seconds);
        needed <= available && !sentence.empty())
        console.note(sentence);
}

/// Analyses one recording or sentence into `file`; returns its row of summary.json. The file appears only
/// when it is whole.
nlohmann::json analyseOne(models::SpeechModel& model, const AnalysedInput& input,
                          const std::filesystem::path& audio, const std::filesystem::path& file,
                          const AnalyseOptions& options, Console& console) {
    const Matrix<float>& features = input.features;

    models::AnalysisOptions wanted;
    wanted.keepAttention = options.maps;
    wanted.keepStates = options.states;
    const TokenClock& clock = model.info().clock;
    std::vector<TokenUnit> units; // of the measures of mixing, where they are not tokens
    wanted.mixing = mixingOf(options, audio, clock.startingAt(input.start), units);
    sayMemory(model.info(), static_cast<std::int64_t>(features.rows()), wanted, console);
    NpzWriter npz(file);
    auto layers = nlohmann::json::array();
    const auto result = model.analyse(features, wanted, [&](models::LayerAnalysis&& layer) {
        for (const auto& [name, tensor] : layerArrays(layer))
            npz.add(name, tensor.view());
        for (const auto& [name, tensor] : layerErrors(layer))
            npz.add(name, tensor.view());
        layers.push_back(layerSummary(layer));
    });
    if (model.info().architecture.frontEnd.reads == InputKind::Text)
        for (const auto& [name, tensor] : sourceArrays(model.info(), features))
            npz.add(name, tensor.view());
    else
        npz.add("features", tensorOf(firstRows(features, result.frames)).view());
    npz.add("token_seconds", tokenSeconds(model.info().clock, result.tokens, input.start).view());
    npz.add("encoder_output", tensorOf(result.encoderOutput).view());
    if (!result.input.empty())
        npz.add("layer.0.states", tensorOf(result.input).view());
    if (!result.ctcIds.empty()) {
        const std::vector<std::int32_t> ids(result.ctcIds.begin(), result.ctcIds.end());
        npz.add("ctc_ids", Tensor::of<std::int32_t>({static_cast<std::int64_t>(ids.size())}, ids).view());
    }
    nlohmann::json row{{"audio", audio.string()}, {"npz", file.filename().string()},
                       {"frames", result.frames}, {"tokens", result.tokens},
                       {"error", nullptr},        {"layers", std::move(layers)}};
    if (!units.empty()) {
        npz.add("mixing.units", unitsTensor(units).view());
        auto labels = nlohmann::json::array();
        for (const TokenUnit& unit : units)
            labels.push_back(unit.label);
        row["mixingUnits"] = {{"kind", options.units}, {"pooling", options.pooling}, {"labels", std::move(labels)}};
    }
    wanted.mixing.units = {}; // of the encoder's maps only
    if (options.decoder) {
        auto decoder = nlohmann::json::array();
        const auto written = model.analyseDecoder(features, textIn(options.language, model, features), wanted,
                                                  [&](models::DecoderLayerAnalysis&& layer) {
                                                      for (const auto& [name, tensor] : decoderArrays(layer))
                                                          npz.add(name, tensor.view());
                                                      decoder.push_back(decoderSummary(layer));
                                                  });
        for (const auto& [name, tensor] : decoderInputArrays(model.info(), written))
            npz.add(name, tensor.view());
        row["decoder"] = {{"targets", written.inputs.size()}, {"layers", std::move(decoder)}};
    }
    npz.close();
    return row;
}

} // namespace

std::string mixingHelp() {
    std::string text = "Measures for --mixing, each written as layer.L.mixing.NAME, rows = queries:\n";
    for (const MixingFacts& facts : mixingFacts())
        text += "  " + std::string(facts.name) + ": " + explained({facts.kind, false}) +
                (facts.kind == Mixing::ValueZeroing
                     ? ";\n    of the last layer, y is the output of the encoder: in a pre-norm encoder, after its final LayerNorm\n"
                     : "\n");
    return text + "  rollout-NAME: layers 1 to L of NAME multiplied, R_l = Â_l R_(l−1) (Abnar & Zuidema 2020); Â "
                  "is ½ (the map + I)\n    for measures without the residual (attention, attention-norm), "
                  "otherwise the map\n";
}

void analyse(const AnalyseOptions& options, Console& console) {
    const std::filesystem::path folder = models::modelInLanguage(options.model, options.language);
    const auto model = models::SpeechModel::openToAnalyse(
        folder, options.draft, [&](const std::string& sentence) { console.note(sentence); });
    for (const auto& sentence : model->info().report.assumed)
        console.note(sentence);
    if (options.decoder && !model->info().architecture.decoder)
        throw Error("model.noDecoder",
                    model->info().name + " has no decoder. Omit --decoder to analyse its encoder.");
    if (!options.language.empty() && folder == options.model && !options.decoder)
        throw Error("decoding.settings",
                    "--language chooses adapters (adapter.LANGUAGE.safetensors), and " + model->info().name +
                        " has none. With --decoder it is the language that a decoder is told.");
    if (!options.mixing.empty())
        mixingMeasures(options.mixing); // an unknown name is wrong for every recording
    TextFiles texts(model->info());
    makeFolder(options.out);
    const auto one = [&](const std::filesystem::path& audio, const std::optional<std::string>& name) {
        try {
            auto row = analyseOne(*model, texts.read(audio, model->info(), options, console), audio,
                                  options.out / (*name + ".npz"), options, console);
            console.line(*name + ": " + counted(row["tokens"].get<std::int64_t>(), "token"));
            return row;
        } catch (const Error& error) {
            throw models::withAdvice(error, "Select a part of it with --from and --to.");
        }
    };
    const nlohmann::json failed{
        {"npz", nullptr}, {"frames", nullptr}, {"tokens", nullptr}, {"layers", nlohmann::json::array()}};
    auto rows = forEachRecording(texts.paths(options.audio), true, console, failed, one);
    nlohmann::json summary{{"format", "headroom/analysis"},
                           {"version", 1},
                           {"model", options.model.string()},
                           {"utterances", std::move(rows)}};
    if (!options.language.empty())
        summary["language"] = options.language;
    const auto text = summary.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    writeAtomically(options.out / "summary.json", std::string_view(text), "output.unwritable");
    console.document(summary);
}

} // namespace headroom::training
