// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/features/model_input.h"
#include "core/text/tokenizer.h"
#include "core/time/rounded_time.h"
#include "models/checkpoints/model_folder.h"
#include "models/networks/recording_limits.h"
#include "models/networks/speech_model.h"
#include "training/analysis/find_words.h"
#include "training/analysis/text_attention.h"
#include "training/decoding/no_text.h"
#include "training/worker/arguments/decoding_arguments.h"
#include "training/worker/commands.h"
#include "training/worker/recordings.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headroom::training {
namespace {

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(' ');
    return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// A model without a decoder, or a search, cannot be told a language. One whose adapters were chosen is not
/// told.
void checkTokens(const TranscribeOptions& options, const models::ModelInfo& model) {
    if (!options.asksForTokens())
        return;
    if (!model.architecture.decoder)
        throw Error("model.noDecoder",
                    model.name + " has no decoder, so --language, --task and --timestamps cannot be used." +
                        (options.language.empty()
                             ? ""
                             : " There is no adapter.LANGUAGE.safetensors in its folder either."));
    if (!options.decoding.isGreedy())
        throw Error("decoding.settings", "--language, --task and --timestamps work with greedy decoding only. "
                                         "Omit the options of the search.");
}

/// "[0.00 - 2.40] text [2.40 - 5.00] more"; a segment without an end: "[5.00 -]".
std::string withTimes(const nlohmann::json& segments) {
    std::string text;
    for (const auto& segment : segments) {
        const auto time = [&](const char* key) { return roundedTime(segment[key].get<double>(), 2); };
        char times[64];
        if (segment["end"].is_number())
            std::snprintf(times, sizeof times, "[%.2f - %.2f]", time("start"), time("end"));
        else
            std::snprintf(times, sizeof times, "[%.2f -]", time("start"));
        text += (text.empty() ? "" : " ") + std::string(times) + " " + segment["text"].get<std::string>();
    }
    return text;
}

nlohmann::json hypothesisOf(const Tokenizer& tokenizer, const std::vector<int>& ids, double score,
                            const std::vector<double>& tokenScores) {
    auto scores = nlohmann::json::array();
    for (const double one : tokenScores)
        scores.push_back(known(one));
    return {{"text", tokenizer.decode(ids)}, {"ids", ids}, {"score", known(score)}, {"tokenScores", std::move(scores)}};
}

/// What the decoder says by the rules of its tokens: {text, ids, score, tokenScores}, with `language` where the prompt has one,
/// and with `segments` [{start, end, text}] where times were asked for.
nlohmann::json writtenBy(models::SpeechModel& model, const Matrix<float>& features, const Tokenizer& tokenizer,
                         const TranscribeOptions& options) {
    models::TextRequest request;
    request.maximumTokens = static_cast<int>(options.decoding.beam.maxNewTokens);
    request.language = options.language;
    request.task = options.task;
    request.times = options.timestamps;
    const models::WrittenText written = model.write(features, request);
    const auto& logs = written.logProbabilities;
    nlohmann::json one = hypothesisOf(tokenizer, written.ids, std::accumulate(logs.begin(), logs.end(), 0.0), logs);
    if (!written.language.empty())
        one["language"] = written.language;
    if (!options.timestamps)
        return one;
    auto segments = nlohmann::json::array();
    for (const TimedTokens& segment :
         model.info().tokens.segments(written.ids, model.info().architecture.vocabulary))
        segments.push_back({{"start", segment.start},
                            {"end", segment.end ? nlohmann::json(*segment.end) : nlohmann::json()},
                            {"text", trimmed(tokenizer.decode(segment.ids))}});
    one["segments"] = std::move(segments);
    return one;
}

/// The hypotheses of one recording as JSON: [{text, ids, score, tokenScores}].
nlohmann::json hypothesesOf(models::SpeechModel& model, const Matrix<float>& features,
                            const Tokenizer& tokenizer, const TextDecoder& decoder,
                            const TranscribeOptions& options) {
    auto list = nlohmann::json::array();
    if (decoder.settings().isGreedy() && model.info().architecture.decoder) {
        list.push_back(writtenBy(model, features, tokenizer, options));
        return list;
    }
    if (decoder.settings().isGreedy()) {
        const auto found = model.greedyScored(features, static_cast<int>(decoder.settings().beam.maxNewTokens));
        list.push_back(hypothesisOf(tokenizer, found.ids, found.score, found.tokenScores));
        return list;
    }
    DecodingSource source;
    source.decoder = [&] { return model.scorer(features); };
    source.internalLanguageModel = [&] { return model.internalLanguageModel(); };
    source.ctc = [&](std::int64_t) { return model.ctcLogProbabilities(features); };
    source.lengths = {
        sourceLength(model.info().architecture.frontEnd.input(), static_cast<std::int64_t>(features.rows()))};
    const auto found = decoder.decode(source); // of one recording
    for (const TextHypothesis& one : found.front())
        list.push_back(hypothesisOf(tokenizer, one.ids, one.score, one.tokenScores));
    if (list.empty()) { // the settings forbid every text
        list.push_back(hypothesisOf(tokenizer, {}, 0, {}));
        list.back()["score"] = nullptr;
    }
    return list;
}

/// Adds `words` [{text, start, end}] in seconds from the start of the recording: where cross-attention places the words
/// of the text, or the CTC output where there is no decoder. `start`: of the part that was heard.
void addTimes(models::SpeechModel& model, std::span<const float> samples, double start, nlohmann::json& hypothesis,
              Console& console) {
    auto words = nlohmann::json::array();
    const std::string text = hypothesis["text"];
    if (text.find_first_not_of(' ') != std::string::npos) {
        try {
            const auto found = findWrittenWords(model, models::featuresOf(model.info(), samples),
                                                hypothesis["ids"].get<std::vector<int>>(),
                                                [](const std::string&, const TensorView&) {});
            for (const auto& word : found.words) {
                const auto& times = std::isfinite(word.attention.start) ? word.attention : word.ctc;
                words.push_back({{"text", word.label}, {"start", known(start + times.start)}, {"end", known(start + times.end)}});
            }
        } catch (const Error& error) { // the text stays without times
            console.note(error.what());
            hypothesis["words"] = nullptr;
            return;
        }
    }
    hypothesis["words"] = std::move(words);
}

/// Writes the attention of the hypotheses of one recording.
void writeAttention(models::SpeechModel& model, const Matrix<float>& features, const nlohmann::json& hypotheses,
                    const TranscribeOptions& options, const std::string& name) {
    std::vector<std::vector<int>> texts;
    for (const auto& one : hypotheses)
        texts.push_back(one["ids"].get<std::vector<int>>());
    std::vector<int> prompt{model.info().tokens.start};
    if (!model.info().tokens.languages.empty()) { // the language may be the one that the model hears
        models::TextRequest request;
        request.maximumTokens = 1;
        request.language = options.language;
        request.task = options.task;
        request.times = options.timestamps;
        prompt = model.write(features, request).prompt;
    }
    writeTextAttention(model, features, prompt, texts, options.attention / (name + ".npz"));
}

/// The text of a hypothesis; of an n-best list also a tab and its score.
std::string scoredText(const nlohmann::json& hypothesis, bool scored) {
    std::string line = hypothesis.contains("segments") ? withTimes(hypothesis["segments"])
                                                       : hypothesis["text"].get<std::string>();
    if (scored && hypothesis["score"].is_number()) {
        char score[32];
        std::snprintf(score, sizeof score, "\t%.4f", hypothesis["score"].get<double>());
        line += score;
    }
    return line;
}

/// What helps against the refusal of a recording, or of a window, that is too long for the model; empty for
/// other errors.
std::string windowAdvice(const Error& error, const models::ModelInfo& model, bool cuts) {
    if (!models::isTooLong(error))
        return {};
    const auto limit = error.values().at("limit").get<std::int64_t>();
    const double seconds = error.code() == "features.tooLong"
                               ? kModelSampleRate.duration(Samples(limit)).value()
                               : models::secondsOf(model, limit);
    const std::string window = "--window " + std::to_string(std::max(1, static_cast<int>(seconds)));
    return cuts ? "Choose a shorter window, such as " + window + "."
                : "Transcribe it in windows, with " + window + ".";
}

Tokenizer tokenizerOf(const models::SpeechModel& model, const std::filesystem::path& folder) {
    refuseWithoutText(model.info(), folder.string());
    return Tokenizer(model.info().tokenizer);
}

/// What `translate` does with each sentence. An empty line has an empty translation, so that lines stay aligned.
class Translating {
public:
    Translating(const TranslateOptions& options, Console& console)
        : m_options(options)
        , m_console(console)
        , m_model(models::SpeechModel::open(options.model, {},
                                            [&](const std::string& sentence) { console.note(sentence); }))
        , m_tokenizer(tokenizerOf(*m_model, options.model))
        , m_decoder(options.decoding, m_model->info()) {
        if (m_model->info().architecture.frontEnd.reads != InputKind::Text)
            throw Error("model.notText", m_model->info().name +
                                             " reads recordings. headroom-worker transcribe takes recordings.");
        if (m_model->info().sourceTokenizer.empty())
            throw Error("model.noTokenizer", "The model " + options.model.string() +
                                                 " has no tokenizer of its source, so it cannot read text.");
        m_reader.emplace(m_model->info().sourceTokenizer);
    }

    void run() {
        auto rows = nlohmann::json::array();
        for (const auto& file : m_options.texts) {
            try {
                int line = 0;
                for (const std::string& sentence : sentencesIn(file))
                    rows.push_back(translated(file, ++line, sentence));
            } catch (const Error& error) {
                m_console.problem(sentenceAbout(file, error));
            }
        }
        m_console.document({{"format", "headroom/translations"},
                            {"version", 1},
                            {"model", m_options.model.string()},
                            {"decoding", decodingDocument(m_options.decoding)},
                            {"sentences", std::move(rows)}});
    }

private:
    nlohmann::json translated(const std::filesystem::path& file, int line, const std::string& sentence) {
        nlohmann::json row{{"file", file.string()},
                           {"line", line},
                           {"source", sentence},
                           {"hypotheses", nlohmann::json::array()},
                           {"error", nullptr}};
        try {
            if (!sentence.empty())
                row["hypotheses"] = hypothesesOf(*m_model, textFeatures(m_reader->encode(sentence)), m_tokenizer,
                                                 m_decoder, asked());
        } catch (const Error& error) {
            row["error"] = sentenceAbout(file.string() + ", line " + std::to_string(line), error);
            m_console.problem(row["error"]);
        }
        if (row["hypotheses"].empty())
            m_console.line("");
        for (const auto& hypothesis : row["hypotheses"])
            m_console.line(scoredText(hypothesis, m_options.decoding.nBest > 1));
        return row;
    }

    TranscribeOptions asked() const {
        TranscribeOptions options;
        options.decoding = m_options.decoding;
        return options;
    }

    const TranslateOptions& m_options;
    Console& m_console;
    std::unique_ptr<models::SpeechModel> m_model;
    Tokenizer m_tokenizer;
    std::optional<Tokenizer> m_reader; ///< of the source
    TextDecoder m_decoder;
};

} // namespace

void translate(const TranslateOptions& options, Console& console) {
    Translating(options, console).run();
}

void transcribe(const TranscribeOptions& given, Console& console) {
    TranscribeOptions options = given;
    options.model = models::modelInLanguage(given.model, given.language);
    const bool byAdapter = options.model != given.model;
    if (byAdapter)
        options.language.clear();
    const auto model = models::SpeechModel::open(
        options.model, {}, [&](const std::string& sentence) { console.note(sentence); });
    const Tokenizer tokenizer = tokenizerOf(*model, options.model);
    const TextDecoder decoder(options.decoding, model->info());
    checkTokens(options, model->info());
    if (options.windows.cuts() && options.timestamps)
        throw Error("decoding.settings", "--timestamps and --window cannot be combined: the times that a model writes are those of a window, "
                                         "and the stitched text mixes the words of two. --alignment finds the times of words "
                                         "in each window, and --json prints where the windows lie.");
    if (options.windows.cuts() && !options.attention.empty())
        throw Error("decoding.settings", "--attention and --window cannot be combined: a stitched text mixes the words of two windows, "
                                         "each with attention of its own. Cut the recording, and transcribe its parts.");
    if (!options.attention.empty())
        makeFolder(options.attention);
    if (options.alignment && !(options.language.empty() && options.task.empty()))
        throw Error("decoding.settings", "--alignment follows the text in the language that the model detects; leave out --language and --task.");
    if (options.alignment && model->info().architecture.frontEnd.reads == InputKind::Text)
        throw Error("decoding.settings", model->info().name + " reads text, so its words have no times.");
    const auto one = [&](const std::filesystem::path& audio,
                         const std::optional<std::string>& name) -> nlohmann::json {
        const auto recording = loadNoted(audio, console);
        const std::span<const float> samples(recording.samples);
        const auto spans = windowSpans(Samples(static_cast<std::int64_t>(samples.size())), kModelSampleRate, options.windows);
        auto hypotheses = nlohmann::json::array(), windows = nlohmann::json::array();
        std::vector<std::string> texts;
        for (const WindowSpan& span : spans) {
            const auto part = samples.subspan(static_cast<std::size_t>(span.start), static_cast<std::size_t>(span.count));
            hypotheses = hypothesesOf(*model, models::featuresOf(model->info(), part), tokenizer,
                                      decoder, options);
            if (!options.attention.empty())
                writeAttention(*model, models::featuresOf(model->info(), part), hypotheses, options, *name);
            if (options.alignment)
                addTimes(*model, part, kModelSampleRate.duration(Samples(span.start)).value(), hypotheses.front(), console);
            texts.push_back(hypotheses.front()["text"]);
            windows.push_back(hypotheses.front());
            if (options.decoding.nBest > 1)
                windows.back()["hypotheses"] = hypotheses;
            windows.back()["start"] = kModelSampleRate.duration(Samples(span.start)).value();
            windows.back()["end"] = kModelSampleRate.duration(Samples(span.start + span.count)).value();
            if (spans.size() > 1)
                console.progress(static_cast<std::int64_t>(texts.size()), static_cast<std::int64_t>(spans.size()),
                                 "windows of " + audio.filename().string());
        }
        if (spans.size() > 1)
            hypotheses = {{{"text", stitchTexts(texts, options.windows.overlap / options.windows.window)},
                           {"ids", nlohmann::json::array()},
                           {"score", nullptr},
                           {"tokenScores", nlohmann::json::array()}}};
        if (spans.size() > 1 && options.decoding.nBest > 1)
            console.note(audio.filename().string() + ": its text is stitched from the best text of each window; --json has the n-best list of each.");
        // Two recordings of one name are told apart by their paths. An n-best list has a line for each text.
        for (const auto& hypothesis : hypotheses)
            console.line(name.value_or(audio.string()) + "\t" + scoredText(hypothesis, options.decoding.nBest > 1));
        nlohmann::json row{{"audio", audio.string()}, {"hypotheses", std::move(hypotheses)}, {"error", nullptr}};
        if (spans.size() > 1)
            row["windows"] = std::move(windows);
        if (!options.attention.empty())
            row["attention"] = *name + ".npz";
        return row;
    };
    const auto advised = [&](const std::filesystem::path& audio, const std::optional<std::string>& name) {
        try {
            return one(audio, name);
        } catch (const Error& error) {
            throw models::withAdvice(error, windowAdvice(error, model->info(), options.windows.cuts()));
        }
    };
    auto rows = forEachRecording(options.audio, !options.attention.empty(), console,
                                 {{"hypotheses", nlohmann::json::array()}}, advised);
    nlohmann::json document{{"format", "headroom/transcripts"},
                            {"version", 2},
                            {"model", given.model.string()},
                            {"decoding", decodingDocument(options.decoding)},
                            {"utterances", std::move(rows)}};
    if (byAdapter)
        document["language"] = given.language;
    console.document(document);
}

} // namespace headroom::training
