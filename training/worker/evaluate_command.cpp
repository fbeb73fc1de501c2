// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audio/audio_file.h"
#include "core/corpus/corpus.h"
#include "core/corpus/person.h"
#include "core/corpus/problems_of.h"
#include "core/errors/count_text.h"
#include "core/runs/run_folder.h"
#include "core/runs/score_decimals.h"
#include "core/tensors/atomic_file.h"
#include "models/checkpoints/checkpoint.h"
#include "models/checkpoints/draft.h"
#include "models/layers/device.h"
#include "training/loop/evaluate_windows.h"
#include "training/loop/validation.h"
#include "models/networks/speech_model.h"
#include "training/analysis/text_attention.h"
#include "training/decoding/no_text.h"
#include "training/worker/arguments/decoding_arguments.h"
#include "training/worker/checkpoint_model.h"
#include "training/scoring/bleu.h"
#include "training/scoring/word_error_rate.h"
#include "training/worker/commands.h"
#include "training/worker/corpus_import_command.h"
#include "training/worker/evaluate_language.h"
#include "training/worker/evaluation_watch.h"
#include "training/worker/recordings.h"
#include "training/worker/score_command.h"
#include "training/worker/termination.h"

#include <cmath>
#include <limits>
#include <map>

namespace headroom::training {

namespace {

std::string onOneLine(std::string text) {
    for (char& letter : text)
        if (letter == '\n' || letter == '\r')
            letter = ' ';
    return text;
}

std::string taskOf(const Corpus& corpus, const EvaluateOptions& options) {
    if (!options.task.empty())
        return options.task;
    const auto& tasks = corpus.document().tasks;
    if (tasks.size() == 1)
        return tasks.front().name;
    std::string names;
    for (const CorpusTask& task : tasks)
        names += (names.empty() ? "" : ", ") + task.name;
    throw Error("corpus.noTask",
                options.data.string() + " has several tasks. Set --task to one of " + names + ".",
                {{"data", options.data.string()}});
}

/// The examples of the split; with windows also those that are longer than the model reads at once.
ExampleSet readAll(const Corpus& corpus, Recipe recipe, const EvaluateOptions& options, const Tokenizer& tokenizer,
                   int unknown, const std::shared_ptr<const TextForm>& form, const SourcePieces* source) {
    if (!options.windows.cuts())
        return readExamples(corpus, recipe, options.split, false, tokenizer, unknown, form, source);
    TextForm any = *form;
    any.window = 0;
    recipe.data.maxBatchFrames = 1'000'000'000;
    ExampleSet set = readExamples(corpus, recipe, options.split, false, tokenizer, unknown,
                                  std::make_shared<const TextForm>(std::move(any)), source);
    for (Example& example : set.examples)
        example.form = form;
    return set;
}

/// Adds the texts of long recordings and scores all again. The loss is that of the others; NaN if there are none.
void addLong(Validation& result, ExampleSet& set, const std::vector<Example>& recordings, const std::vector<LongText>& texts) {
    if (set.examples.empty())
        result.nll = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t i = 0; i < recordings.size(); ++i) {
        result.hypotheses.push_back({static_cast<std::int64_t>(set.examples.size()), texts[i].text, {}});
        set.examples.push_back(recordings[i]);
    }
    std::vector<std::string> references, hypotheses;
    for (const Hypothesis& one : result.hypotheses) {
        references.push_back(set.examples[static_cast<std::size_t>(one.example)].text);
        hypotheses.push_back(one.text);
    }
    result.wer = wordErrorRate(references, hypotheses).percent();
    const Bleu score = bleu(references, hypotheses);
    result.bleu = score.score;
    result.bleuSignature = score.signature;
}

/// sclite's errors of the texts after mapping rules, as `score` computes them of .trn transcripts.
WordErrors mappedErrors(const MappingRules& rules, const nlohmann::json& rows) {
    std::vector<TrnLine> references, hypotheses;
    for (const auto& row : rows) {
        references.push_back({row["id"], onOneLine(row["reference"])});
        hypotheses.push_back({row["id"], onOneLine(row["hypothesis"])});
    }
    applyRules(rules, references, false);
    applyRules(rules, hypotheses, false);
    WordErrors total;
    for (const ScliteUtterance& one : scliteScore(references, hypotheses))
        total += one.errors;
    return total;
}

/// What a model reads at once, with the rows behind a recording where it reads a fixed window.
Matrix<float> readAtOnce(const Example& example, FeatureCache& cache) {
    if (!cache.input().window())
        return *cache.features(example);
    return modelFeatures(loadRecording(example.audio).samples, cache.input());
}

/// Writes attention/N.npz of each text, N from 1, and names it in its row.
void writeAttentionOfTexts(const EvaluateOptions& options, const std::filesystem::path& folder, const std::vector<Hypothesis>& hypotheses,
                    const std::vector<Example>& examples, FeatureCache& cache, EvaluationWatch& watch, nlohmann::json& rows) {
    const auto model = models::SpeechModel::open(folder, options.draft);
    makeFolder(options.out / "attention");
    for (std::size_t i = 0; i < hypotheses.size(); ++i) {
        if (watch.stopFlag()->load())
            throw Stopped();
        const Example& example = examples[static_cast<std::size_t>(hypotheses[i].example)];
        std::vector<std::vector<int>> texts;
        for (const TextHypothesis& one : hypotheses[i].best)
            texts.push_back(one.ids);
        const std::string file = "attention/" + std::to_string(i + 1) + ".npz";
        writeTextAttention(*model, readAtOnce(example, cache), example.form->prompt, texts, options.out / file);
        rows[i]["attention"] = file;
    }
}

void evaluateInto(const EvaluateOptions& options, EvaluationWatch& watch, Console& console) {
    const CheckpointModel checkpoint(options);
    const ModelWeights weights = weightsOfModel(checkpoint.folder()); // now: a run that is resumed may export another model meanwhile
    models::Checkpoint model =
        models::readCheckpoint(models::modelInLanguage(checkpoint.folder(), options.language));
    if (!options.draft.empty())
        models::applyDraft(model, options.draft);
    model.parameters = models::onDevice(model.parameters);
    if (model.info.architecture.languageModel && !model.info.tokenizer.empty())
        return evaluateLanguage(options, model, weights, watch, console);
    refuseWithoutText(model.info, options.model.string());
    if (!model.info.architecture.decoder && !model.info.architecture.ctc)
        throw Error("model.noDecoder", "The model " + options.model.string() +
                                           " has neither a decoder nor a CTC output and cannot produce "
                                           "text.");
    if (options.attention && options.windows.cuts())
        throw Error("decoding.settings", "--attention and --window cannot be combined: a stitched text mixes the words of two windows, "
                                         "each with attention of its own.");
    if (options.windows.cuts() && model.info.architecture.frontEnd.reads == InputKind::Text)
        throw Error("decoding.settings", "The model " + options.model.string() +
                                             " reads text, which has no seconds: --window does not apply.");
    std::optional<MappingRules> mapping; // read first: what is wrong with it is said before an hour of decoding
    if (!options.glm.empty())
        mapping = readMappingRules(options.glm);
    const Tokenizer tokenizer(model.info.tokenizer);
    const TextDecoder decoder(options.decoding, model.info);
    const int unknown = checkTokenIds(tokenizer, model.info.tokenizer);
    const Corpus corpus = openTranscribed(options.data, &console);
    ValidationOptions how;
    how.recipe.task = taskOf(corpus, options);
    for (const CorpusProblem& problem : problemsOf(corpus, how.recipe.task, {options.split}))
        console.problem(problem.sentence);
    how.recipe.data.minFrames = 1;
    const Architecture::FrontEnd& frontEnd = model.info.architecture.frontEnd;
    const double seconds = static_cast<double>(model.info.maxSourceFrames) * frontEnd.input().clock().step().value();
    how.recipe.data.maxBatchFrames = // of 10 ms
        std::max<std::int64_t>(static_cast<std::int64_t>(seconds / FrameClock().step().value() + 0.5), 6000);
    how.recipe.data.cacheMegabytes = 0; // each is read once
    how.recipe.loss.labelSmoothing = 0;
    how.recipe.validation.maxTokens = options.decoding.beam.maxNewTokens;
    how.decoder = options.decoding.isGreedy() ? nullptr : &decoder;
    how.scores = true;
    TokenRules rules = model.info.tokens;
    if (!options.language.empty() && !model.folder.isInLanguage) {
        if (!model.info.architecture.decoder)
            throw Error("model.noDecoder",
                        model.info.name +
                            " has neither a decoder that is told a language nor adapters of languages "
                            "(adapter.LANGUAGE.safetensors), so --language cannot be used.");
        rules.language = options.language;
    }
    if (how.decoder && rules != TokenRules())
        throw Error("model.noSearch", model.info.name + " can only be decoded greedily, with one beam.");
    const auto form = textFormOf(rules, model.info.architecture, corpus.document(), how.recipe.task);
    if (frontEnd.vocabulary > 0 && model.info.sourceTokenizer.empty())
        throw Error("model.noTokenizer", "The model " + options.model.string() + " has no tokenizer of its source, so it cannot read text.");
    const bool cutsAlike = frontEnd.reads != InputKind::Text || model.info.sourceTokenizer == model.info.tokenizer;
    const auto source = SourcePieces::of(cutsAlike ? std::filesystem::path() : model.info.sourceTokenizer);
    ExampleSet set = readAll(corpus, how.recipe, options, tokenizer, unknown, form, source ? &*source : nullptr);
    checkReadable(set, frontEnd, model.info.name);
    for (const std::string& note : set.notes)
        console.note(note);
    const std::vector<Example> recordings =
        options.windows.cuts() ? takeLongRecordings(set, options.windows) : std::vector<Example>();
    FeatureCache cache(0, frontEnd.input());
    followBy(watch, how, 0, recordings.size());
    refuseNotFinite(how, model.info.name, set.examples);
    Validation result = validate(model.parameters, model.info.architecture, set.examples, cache, tokenizer, how);
    std::map<std::int64_t, LongText> longTexts; // by index into the set
    if (!recordings.empty()) {
        followBy(watch, how, set.examples.size());
        auto texts = decodeLongRecordings(model, recordings, options.windows, tokenizer, how);
        const auto first = static_cast<std::int64_t>(set.examples.size());
        addLong(result, set, recordings, texts);
        for (std::size_t i = 0; i < texts.size(); ++i)
            longTexts[first + static_cast<std::int64_t>(i)] = std::move(texts[i]);
    }

    makeFolder(options.out);
    std::map<std::string, std::string> speakers;
    for (const Utterance& one : corpus.utterances(options.split, how.recipe.task))
        speakers[one.id] = personOf(one);
    std::string references, hypotheses, utterances = "id\tspeaker\n";
    auto rows = nlohmann::json::array();
    for (const Hypothesis& one : result.hypotheses) {
        const Example& example = set.examples[static_cast<std::size_t>(one.example)];
        references += onOneLine(example.text) + "\n";
        hypotheses += onOneLine(one.text) + "\n";
        rows.push_back({{"id", example.id}, {"reference", example.text}, {"hypothesis", one.text}});
        const std::string& speaker = speakers[example.id];
        utterances += example.id + "\t" + speaker + "\n";
        if (!speaker.empty())
            rows.back()["speaker"] = speaker;
        const auto scored = [](const TextHypothesis& each) {
            return nlohmann::json{{"ids", each.ids}, {"score", known(each.score)}, {"tokenScores", each.tokenScores}};
        };
        const auto listOf = [&](const std::vector<TextHypothesis>& best) {
            auto list = nlohmann::json::array();
            for (const TextHypothesis& each : best) {
                list.push_back(scored(each));
                list.back()["text"] = tokenizer.decode(each.ids);
            }
            return list;
        };
        const auto cut = longTexts.find(one.example);
        if (options.decoding.nBest > 1 && cut != longTexts.end()) {
            auto windows = nlohmann::json::array();
            for (const DecodedWindow& window : cut->second.windows)
                windows.push_back({{"start", window.start.value()}, {"end", window.end.value()}, {"hypotheses", listOf(window.best)}});
            rows.back()["windows"] = std::move(windows);
        } else if (options.decoding.nBest > 1) {
            rows.back()["hypotheses"] = listOf(one.best);
        } else if (!one.best.empty()) {
            rows.back().update(scored(one.best.front()));
        }
    }
    if (options.attention)
        writeAttentionOfTexts(options, checkpoint.folder(), result.hypotheses, set.examples, cache, watch, rows);
    nlohmann::json document = evaluationHead(options, model, weights, how.recipe.task);
    std::string line;
    if (mapping) {
        const WordErrors errors = mappedErrors(*mapping, rows);
        document["glm"] = options.glm.string();
        document["wer-sclite"] = countsDocument(errors);
        char percent[80] = ", no words for sclite";
        if (errors.referenceWords() > 0)
            std::snprintf(percent, sizeof percent, ", sclite's WER after the rules %.*f %%", kScoreDecimals,
                          100.0 * static_cast<double>(errors.errors()) / static_cast<double>(errors.referenceWords()));
        line = percent;
    }
    document.update({{"utterances", std::move(rows)},
                     {"nll", known(result.nll)},
                     {"wer", nullptr},
                     {"bleu", result.bleu},
                     {"bleuSignature", result.bleuSignature},
                     {"decoding", decodingDocument(options.decoding)}});
    if (result.wer)
        document["wer"] = *result.wer;
    if (!set.notes.empty())
        document["notes"] = set.notes;
    if (options.windows.cuts())
        document["window"] = options.windows.window;
    if (!options.checkpoint.empty())
        document["checkpoint"] = options.checkpoint;
    const auto write = [&](const char* name, const std::string& text) {
        writeAtomically(options.out / name, std::string_view(text), "output.unwritable");
    };
    write("references.txt", references);
    write("hypotheses.txt", hypotheses);
    write(kScoredUtterances, utterances);
    write("evaluation.json", document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
    char text[160];
    std::string scores = options.split + ", " + counted(static_cast<std::int64_t>(result.hypotheses.size()), "utterance") + ": ";
    if (result.wer) {
        std::snprintf(text, sizeof text, "WER %.*f %%, ", kScoreDecimals, *result.wer);
        scores += text;
    } else {
        scores += "no words for WER, ";
    }
    std::snprintf(text, sizeof text, "BLEU %.*f", kScoreDecimals, result.bleu);
    line = scores + text + line;
    if (std::isfinite(result.nll)) {
        std::snprintf(text, sizeof text, ", %.*f bits per piece", kLossDecimals, result.nll);
        line += text;
    }
    console.line(line);
    console.document(document);
}

} // namespace

EvaluationRequest evaluationRequestOf(const EvaluateOptions& options) {
    EvaluationRequest request{options.model, options.checkpoint.empty() ? "model" : options.checkpoint,
                              options.data,  options.split,
                              options.task,  options.decoding.beam.beams,
                              options.device};
    const DecodingSettings& decoding = options.decoding;
    request.lengthPenalty = decoding.beam.lengthPenalty;
    request.ctcBeam = decoding.ctcBeam;
    request.ctcWeight = decoding.ctcWeight;
    request.languageModel = decoding.languageModel;
    request.languageModelWeight = decoding.languageModelWeight;
    request.nBest = decoding.nBest > 1 ? decoding.nBest : 0;
    request.glm = options.glm;
    request.window = options.windows.window;
    return request;
}

void evaluate(const EvaluateOptions& options, Console& console) {
    EvaluationInfo info;
    info.folder = options.out;
    info.request = evaluationRequestOf(options);
    EvaluationWatch watch(info);
    try {
        evaluateInto(options, watch, console);
        watch.finished();
    } catch (const Stopped&) {
        watch.stopped();
        console.note("The evaluation was stopped. No scores were written.");
        console.ended(terminationStatus());
    } catch (const std::exception& failure) {
        watch.refused(failure.what());
        throw;
    }
}

} // namespace headroom::training
