// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/launch_facts.h"

#include "app/documents/items/paths.h"
#include "app/workspaces/train/data/hold_out.h"
#include "core/architecture/costs.h"
#include "core/audio/audio_name.h"
#include "core/corpus/kinds/text_lines.h"
#include "core/corpus/corpus_summary.h"
#include "core/corpus/language_tasks.h"
#include "core/corpus/needed_splits.h"
#include "core/corpus/problems_of.h"
#include "core/corpus/recording_looks.h"
#include "core/corpus/sentence_source.h"
#include "core/model_folders/model_kind.h"
#include "core/runs/run_folder.h"
#include "core/text/tokenizer.h"
#include "core/text/unknown_characters.h"
#include "widgets/look/translate.h"
#include "widgets/run_monitor/run_words.h"

#include <QFile>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <functional>
#include <span>

namespace headroom::app {

namespace fs = std::filesystem;

bool DataFacts::isOf(const fs::path& data, const Recipe& recipe) const {
    return folder == data && task == recipe.task && trainSplit == recipe.data.trainSplit &&
           validationSplit == recipe.data.validationSplit;
}

std::vector<const UnusableRecording*> DataFacts::thatStop(const Recipe::Data& limits) const {
    std::vector<const UnusableRecording*> found;
    const SplitLimits bySplit = limits.limits();
    for (const UnusableRecording& one : unusable)
        if (stopsTraining(one.frames, one.isOfTraining ? bySplit.training : bySplit.validation))
            found.push_back(&one);
    return found;
}

namespace {

/// Each split that a run reads, once: the validation split first, which is short.
std::vector<std::string> splitsOf(const Recipe& recipe) {
    if (recipe.data.trainSplit == recipe.data.validationSplit)
        return {recipe.data.trainSplit};
    return {recipe.data.validationSplit, recipe.data.trainSplit};
}

bool isTextTask(const Corpus& corpus, const Recipe& recipe) {
    const CorpusTask* task = corpus.document().task(recipe.task);
    return task && task->isText;
}

/// The files of a model or a corpus that cut its texts: of parallel text, the source may have a vocabulary of its own.
struct TokenizerFiles {
    fs::path target, source;
};

TokenizerFiles filesOf(const Corpus& corpus, const Recipe& recipe, const fs::path& start) {
    if (const fs::path own = start.empty() ? fs::path() : tokenizerIn(start); !own.empty())
        return {own, sourceTokenizerIn(start)};
    std::error_code ignored;
    const fs::path source = corpus.folder() / corpusSourceTokenizerName(recipe.task);
    return {corpus.folder() / corpusTokenizerName(recipe.task), fs::exists(source, ignored) ? source : fs::path()};
}

/// A text with its source counts once.
VocabularyGaps gapsOf(const TokenizerFiles& files, const Corpus& corpus, const Recipe& recipe) {
    const bool isText = isTextTask(corpus, recipe);
    const Tokenizer target(files.target), source(files.source.empty() ? files.target : files.source);
    VocabularyGaps gaps;
    UnknownCharacters unknown(target), unknownSource(source);
    for (const std::string& split : splitsOf(recipe))
        for (const Utterance& utterance : corpus.utterances(split, recipe.task)) {
            gaps.texts += !utterance.text.empty();
            const auto before = unknown.texts() + unknownSource.texts();
            unknown.add(utterance.text);
            if (isText)
                unknownSource.add(utterance.sourceText);
            gaps.gaps += unknown.texts() + unknownSource.texts() > before;
        }
    gaps.characters = unknown.characters();
    for (const auto& [character, texts] : unknownSource.characters())
        gaps.characters[character] += texts;
    return gaps;
}

/// Frames of utterances whose table has none, by their recordings.
using FoundFrames = std::map<const Utterance*, std::int64_t>;

/// Of the utterances with a text, as a run counts them. Empty where one of them is not known.
std::vector<std::int64_t> lengthsOf(const std::string& split, const Corpus& corpus, const Recipe& recipe, const TokenizerFiles& files,
                                    const FoundFrames& found) {
    const bool isText = isTextTask(corpus, recipe);
    std::error_code ignored;
    if (isText && !fs::exists(files.target, ignored))
        return {};
    std::optional<Tokenizer> pieces, sources;
    if (isText) {
        pieces.emplace(files.target);
        sources.emplace(files.source.empty() ? files.target : files.source);
    }
    std::vector<std::int64_t> lengths;
    for (const Utterance& utterance : corpus.utterances(split, recipe.task)) {
        if (trimmedText(utterance.text).empty())
            continue;
        if (isText)
            lengths.push_back(
                static_cast<std::int64_t>(std::max(sources->encode(utterance.sourceText).size(), pieces->encode(utterance.text).size())) + 1);
        else if (utterance.frames)
            lengths.push_back(utterance.frames->value());
        else if (const auto frames = found.find(&utterance); frames != found.end())
            lengths.push_back(frames->second);
        else
            return {};
    }
    return lengths;
}

/// The keys of the recipe that name a split that the corpus does not have: "data.validationSplit". Throws where both are missing.
void lookForSplits(const Corpus& corpus, const Recipe& recipe, QStringList& keys) {
    const auto& splits = corpus.document().splits;
    for (const auto& [key, split] :
         {std::pair("data.trainSplit", recipe.data.trainSplit), std::pair("data.validationSplit", recipe.data.validationSplit)})
        if (std::find(splits.begin(), splits.end(), split) == splits.end())
            keys << QLatin1String(key);
    needOneOf(corpus, recipe.data.trainSplit, recipe.data.validationSplit);
}

bool hasText(const Utterance& utterance) {
    return !trimmedText(utterance.text).empty();
}

int textsIn(const std::vector<Utterance>& utterances) {
    return static_cast<int>(std::count_if(utterances.begin(), utterances.end(), hasText));
}

/// Counts what is wrong with rows of the two splits. A row whose alignment alone is wrong can be trained on.
void addInvalidRows(const Corpus& corpus, const Recipe& recipe, DataFacts& facts) {
    for (const CorpusProblem& problem : problemsOf(corpus, recipe.task, {recipe.data.trainSplit, recipe.data.validationSplit}))
        if (problem.leftOut || problem.code == "corpus.emptyText") {
            ++facts.invalidRows;
            if (facts.firstInvalid.size() < DataFacts::kMostNamed)
                facts.firstInvalid << QString::fromStdString(problem.sentence);
        }
}

FoundFrames lookAtRecordings(const Corpus& corpus, const Recipe& recipe, DataFacts& facts) {
    constexpr std::size_t kAtOnce = 64;
    constexpr std::chrono::seconds kLongest{5};
    FoundFrames frames;
    if (isTextTask(corpus, recipe))
        return frames;
    const auto start = std::chrono::steady_clock::now();
    RecordingLooks looks;
    for (const std::string& split : splitsOf(recipe)) {
        const std::span<const Utterance> all(corpus.utterances(split, recipe.task));
        facts.recordings += static_cast<qint64>(all.size());
        for (std::size_t first = 0; first < all.size() && std::chrono::steady_clock::now() - start < kLongest; first += kAtOnce) {
            const auto some = all.subspan(first, std::min(kAtOnce, all.size() - first));
            const std::vector<RecordingLook> found = looks.at(some);
            facts.lookedAt += static_cast<qint64>(some.size());
            for (std::size_t i = 0; i < some.size(); ++i) {
                if (!some[i].frames && found[i].frames)
                    frames[&some[i]] = *found[i].frames;
                if (!found[i].isUsable)
                    facts.files.push_back(audioName(some[i].audio).file);
                if (!found[i].isUsable && hasText(some[i]))
                    facts.unusable.push_back(
                        {split != recipe.data.validationSplit,
                         some[i].frames ? std::optional(some[i].frames->value()) : std::nullopt,
                         QString::fromStdString(some[i].id + ": " + found[i].sentence)});
            }
        }
    }
    return frames;
}

/// Takes the sentences of a split, one after the other, until it returns false. Returns whether it took all of them.
bool takeSentences(const SentenceSource& source, const std::string& split, const std::function<bool(const std::string&)>& take) {
    const fs::path file = source.file(split);
    if (file.empty() && !source.corpus()) // as `train` says it
        throw Error("data.empty", source.folder().string() + " has no " + split + "_" + source.task() + ".txt.");
    if (!file.empty()) {
        LineReader reader(file);
        for (std::string line; reader.next(line);)
            if (!take(std::string(trimmedText(line))))
                return false;
        return true;
    }
    const auto& utterances = source.corpus()->utterances(split, source.textTask());
    return std::all_of(utterances.begin(), utterances.end(), [&](const auto& one) { return take(std::string(trimmedText(one.text))); });
}

/// What a language model would learn. Files of sentences may be large: they are read for a few seconds.
void readSentenceFacts(const SentenceSource& source, const Recipe& recipe, DataFacts& facts) {
    constexpr std::chrono::seconds kLongestPart{3};
    const fs::path own = source.tokenizer(), ofStart = facts.start.empty() ? fs::path() : tokenizerIn(facts.start);
    facts.files.push_back(ofStart);
    facts.vocabulary = Tokenizer(own).size();
    const Tokenizer tokenizer(ofStart.empty() ? own : ofStart);
    UnknownCharacters unknown(tokenizer);
    VocabularyGaps gaps;
    for (const std::string& split : splitsOf(recipe)) {
        const bool isOfTraining = split == recipe.data.trainSplit;
        int& count = isOfTraining ? facts.train : facts.validation;
        const auto start = std::chrono::steady_clock::now();
        const bool all = takeSentences(source, split, [&](const std::string& text) {
            if (text.empty())
                return true;
            ++count;
            ++gaps.texts;
            unknown.add(text);
            (isOfTraining ? facts.lengths : facts.validationLengths)
                .push_back(static_cast<std::int64_t>(tokenizer.encode(text).size()) + 1);
            return std::chrono::steady_clock::now() - start < kLongestPart;
        });
        facts.areLeast = facts.areLeast || !all;
    }
    if (facts.hasOneSplit()) {
        facts.validation = facts.train;
        facts.validationLengths = facts.lengths;
    }
    if (facts.areLeast) {
        facts.lengths.clear();
        facts.validationLengths.clear();
    }
    gaps.gaps = unknown.texts();
    gaps.characters = unknown.characters();
    facts.unknown = gaps;
}

} // namespace

DataFacts readDataFacts(const fs::path& data, const Recipe& recipe, const fs::path& start) {
    DataFacts facts;
    facts.folder = data;
    facts.start = start;
    facts.task = recipe.task;
    facts.trainSplit = recipe.data.trainSplit;
    facts.validationSplit = recipe.data.validationSplit;
    QStringList missing;
    const auto refuseEmpty = [&] {
        if (facts.train == 0)
            facts.mistake = QStringLiteral("%1 has no utterance to train on in “%2”.")
                                .arg(toQString(data.filename()), QString::fromStdString(recipe.data.trainSplit));
    };
    try {
        if (isLanguageTask(recipe.task)) {
            const SentenceSource source = SentenceSource::open(data, recipe.task);
            if (source.corpus()) {
                facts.files = source.corpus()->sources();
                lookForSplits(*source.corpus(), recipe, missing);
            }
            readSentenceFacts(source, recipe, facts);
            refuseEmpty();
            return facts;
        }
        const Corpus corpus = Corpus::open(data);
        facts.files = corpus.sources();
        facts.splitToDivide = splitToDivide(corpus, recipe.task);
        facts.heldOut = heldOutNote(corpus.document());
        lookForSplits(corpus, recipe, missing);
        facts.train = textsIn(corpus.utterances(recipe.data.trainSplit, recipe.task));
        facts.validation = textsIn(corpus.utterances(recipe.data.validationSplit, recipe.task));
        addInvalidRows(corpus, recipe, facts);
        const FoundFrames found = lookAtRecordings(corpus, recipe, facts);
        const TokenizerFiles own = filesOf(corpus, recipe, {}), used = filesOf(corpus, recipe, start);
        facts.files.insert(facts.files.end(), {used.target, used.source});
        std::error_code ignored;
        if (fs::exists(own.target, ignored))
            facts.vocabulary = Tokenizer(own.target).size();
        if (!own.source.empty())
            facts.sourceVocabulary = Tokenizer(own.source).size();
        if (fs::exists(used.target, ignored) && (start.empty() || used.target != own.target))
            facts.unknown = gapsOf(used, corpus, recipe);
        facts.lengths = lengthsOf(recipe.data.trainSplit, corpus, recipe, used, found);
        facts.validationLengths = lengthsOf(recipe.data.validationSplit, corpus, recipe, used, found);
        refuseEmpty();
    } catch (const Error& mistake) {
        facts.mistake = QString::fromUtf8(mistake.what());
        if (mistake.code() == "corpus.noSplit")
            facts.mistake += u' ' + missingSplitAdvice(missing, !facts.splitToDivide.empty(), tr("All values"));
        else if (mistake.code() == "corpus.noTask")
            facts.mistake += QStringLiteral(" Set task in All values.");
    } catch (const std::exception& mistake) {
        facts.mistake = QString::fromUtf8(mistake.what());
    }
    return facts;
}

std::optional<int> vocabularyOf(const fs::path& model) {
    std::error_code ignored;
    try {
        if (fs::exists(model / "architecture.json", ignored))
            return readArchitecture(model / "architecture.json").vocabulary;
        std::ifstream stream(model / "config.json", std::ios::binary);
        const auto document = nlohmann::json::parse(stream, nullptr, false);
        for (const char* key : {"vocab_size", "tgt_vocab_size"}) // the second is FSMT's
            if (document.is_object() && document.value(key, nlohmann::json()).is_number_integer())
                return document[key].get<int>();
    } catch (const std::exception&) {
        return std::nullopt; // the worker says what is wrong with it when it starts from it
    }
    return std::nullopt;
}

bool isModelFolder(const fs::path& model) {
    std::error_code ignored;
    if (standsForItself(model))
        return fs::is_regular_file(model, ignored);
    for (const char* name : {"model.safetensors", "model.safetensors.index.json", "pytorch_model.bin",
                             "pytorch_model.bin.index.json", "architecture.json", "config.yaml"}) // the last is ESPnet's
        if (fs::exists(model / name, ignored))
            return true;
    return !onlyArchive(model).empty();
}

std::optional<double> freeDisk(const fs::path& folder) {
    std::error_code problem;
    fs::path there = folder;
    while (!there.empty() && !fs::exists(there, problem) && there.has_relative_path())
        there = there.parent_path();
    const auto space = fs::space(there, problem);
    return problem ? std::nullopt : std::optional(static_cast<double>(space.available));
}

namespace {

/// Whether a run was computed at a place (empty: this machine), on a device of this machine. Another machine has another speed, and so has
/// another device of this one; what a place computes on is its own business.
bool wasComputedAt(const widgets::RunItem& run, const std::string& place, const std::string& device) {
    if (run.place.toStdString() != place)
        return false;
    if (!place.empty())
        return true;
    const auto& decided = run.info.decided;
    if (device == "all")
        return decided.ranks > 1 && decided.device.rfind("cuda", 0) == 0;
    return decided.ranks == 1 && decided.device == (device.empty() ? "cpu" : device);
}

} // namespace

std::optional<TimeEstimate> estimateTime(const std::vector<widgets::RunItem>& runs, const Launch& launch,
                                         const std::optional<CorpusExtent>& corpus) {
    const auto parameters = static_cast<double>(parameterCosts(launch.architecture).parameters);
    for (const widgets::RunItem& run : runs) { // newest first
        const bool alike = run.info.state == RunState::Finished && run.update > 0 &&
                           std::abs(run.parameters - parameters) <= 0.1 * parameters &&
                           fs::path(run.info.data) == launch.data && wasComputedAt(run, launch.place, launch.device);
        if (!alike)
            continue;
        const double seconds = workedSeconds(run.info);
        try {
            const Recipe recipe = readRecipe(RunPaths{run.folder}.recipe());
            if (seconds > 0 && recipe.data.maxBatchFrames == launch.recipe.data.maxBatchFrames &&
                recipe.optimiser.accumulate == launch.recipe.optimiser.accumulate)
                return TimeEstimate{seconds / static_cast<double>(run.update) * workOf(launch.recipe, corpus).updates,
                                    widgets::runTitle(run)};
        } catch (const Error&) {
            continue; // a run whose recipe is gone
        }
    }
    return std::nullopt;
}

std::optional<double> estimateTime(const std::vector<widgets::RunItem>& runs, const PlannedStep& training, const TrainingWork& work,
                                   const std::string& place, const std::string& device) {
    const auto inputOf = [](const Architecture& model) {
        return std::pair(model.languageModel.has_value(), model.languageModel ? InputKind::Text : model.frontEnd.reads);
    };
    const auto parameters = static_cast<double>(parameterCosts(training.architecture).parameters);
    for (const widgets::RunItem& run : runs) { // newest first
        const bool alike = run.info.state == RunState::Finished && wasComputedAt(run, place, device) && run.framesPerSecond > 0 &&
                           std::abs(run.parameters - parameters) <= 0.1 * parameters;
        if (!alike)
            continue;
        try {
            if (inputOf(readArchitecture(RunPaths{run.folder}.architecture())) == inputOf(training.architecture))
                return work.frames / run.framesPerSecond;
        } catch (const Error&) {
            continue; // a run whose architecture is gone
        }
    }
    return std::nullopt;
}

} // namespace headroom::app
