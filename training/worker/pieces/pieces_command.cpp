// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/pieces_command.h"

#include "core/corpus/corpus.h"
#include "core/errors/count_text.h"
#include "core/errors/unread_file.h"
#include "core/tensors/atomic_file.h"
#include "training/corpus/piece_facts.h"
#include "training/corpus/sentence_pieces.h"
#include "training/worker/corpus_import_command.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <set>

namespace headroom::training {

namespace {

constexpr std::size_t kNormalisedShown = 20;

struct PieceTexts {
    std::string split; ///< of `held`
    std::vector<std::string> learnt, held;
};

void addTexts(std::vector<std::string>& texts, const Corpus& corpus, const std::string& split,
              const PiecesOptions& options, const std::string& task) {
    for (const Utterance& one : corpus.utterances(split, task)) {
        if (!one.text.empty())
            texts.push_back(one.text);
        if ((options.joint || (one.audio.empty() && !options.separate)) && !one.sourceText.empty())
            texts.push_back(one.sourceText);
    }
}

/// The sources of parallel text, where they have a vocabulary of their own.
std::vector<std::string> sourcesOf(const Corpus& corpus, const std::string& task) {
    const auto& splits = corpus.document().splits;
    std::vector<std::string> texts;
    for (const std::string& split : splits)
        if (split.starts_with("train") || splits.size() == 1)
            for (const Utterance& one : corpus.utterances(split, task))
                if (!one.sourceText.empty())
                    texts.push_back(one.sourceText);
    return texts;
}

void refuseToSeparate(const Corpus& corpus, const PiecesOptions& options, const std::string& task) {
    if (const CorpusTask* known = corpus.document().task(task); known && known->isText)
        return;
    throw Error("corpus.notParallelText",
                "--separate learns a vocabulary for each language of parallel text, and the task " + task + " of " +
                    options.data.string() + " has recordings. Leave it out: its texts are the targets alone.",
                {{"task", task}});
}

void write(const std::filesystem::path& model, const SentencePieces& learnt, Console& console) {
    writeAtomically(model, learnt.model, "corpus.unwritable");
    writeAtomically(std::filesystem::path(model).replace_extension(".vocab"), learnt.vocabulary, "corpus.unwritable");
    console.line("written: " + model.string());
}

/// The vocabulary of the sources, null if both languages share one. One of an earlier call is removed then: it would stand beside
/// pieces that no longer leave out its language.
nlohmann::json piecesOfSources(const Corpus& corpus, const PiecesOptions& options, const std::string& task, const PieceSettings& settings,
                            Console& console) {
    const std::filesystem::path model = options.data / corpusSourceTokenizerName(task);
    if (!options.separate) {
        std::error_code ignored;
        if (!options.trial && std::filesystem::remove(model, ignored)) {
            std::filesystem::remove(std::filesystem::path(model).replace_extension(".vocab"), ignored);
            console.line("removed: " + model.string());
        }
        return {};
    }
    const SentencePieces learnt = learnSentencePieces(sourcesOf(corpus, task), settings);
    console.line(task + ", source: " + counted(learnt.size, "piece"));
    nlohmann::json document{{"size", learnt.size}, {"written", nullptr}};
    if (!options.trial) {
        write(model, learnt, console);
        document["written"] = model.string();
    }
    return document;
}

PieceTexts textsOf(const Corpus& corpus, const PiecesOptions& options, const std::string& task) {
    PieceTexts texts;
    const auto& splits = corpus.document().splits;
    for (const std::string& split : splits) {
        const bool learns = split.starts_with("train") || splits.size() == 1;
        if (learns)
            addTexts(texts.learnt, corpus, split, options, task);
        else if (texts.held.empty()) {
            texts.split = split;
            addTexts(texts.held, corpus, split, options, task);
        }
    }
    if (texts.learnt.empty())
        throw Error("corpus.noText",
                    options.data.string() + " has no text for " + task +
                        " in a split whose name begins with “train”.",
                    {{"folder", options.data.string()}});
    if (texts.held.empty()) {
        texts.split = "train";
        texts.held = texts.learnt;
    }
    return texts;
}

std::string taskOf(const Corpus& corpus, const PiecesOptions& options) {
    std::string known;
    for (const CorpusTask& task : corpus.document().tasks) {
        if (options.task.empty() || task.name == options.task)
            return task.name;
        known += (known.empty() ? "" : ", ") + task.name;
    }
    throw Error("corpus.unknownTask",
                options.data.string() + " has no task “" + options.task + "”. Its tasks are: " + known + ".",
                {{"task", options.task}});
}

PieceSettings settingsOf(const PiecesOptions& options, int size) {
    return {options.model, size, options.coverage, options.normalisation};
}

nlohmann::json factsDocument(const PieceFacts& facts) {
    const double perWord = facts.piecesPerWord();
    return {{"sentences", facts.sentences},
            {"words", facts.words},
            {"pieces", facts.pieces},
            {"piecesPerWord", perWord == perWord ? nlohmann::json(perWord) : nlohmann::json()},
            {"unknown", facts.unknown},
            {"longest", facts.longest}};
}

nlohmann::json exampleDocument(const PieceExample& example) {
    const auto number = [](const std::optional<double>& value) {
        return value ? nlohmann::json(*value) : nlohmann::json();
    };
    return {{"text", example.text},
            {"normalised", example.normalised},
            {"pieces", example.pieces},
            {"logP", number(example.logP)},
            {"second", number(example.second)}};
}

std::string perWordText(const PieceFacts& facts) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.2f", facts.piecesPerWord());
    return text.data();
}

/// " (5,000 asked for, the texts have no more)"; empty where there are as many as were asked for.
std::string askedText(int made, int asked) {
    return made < asked ? " (" + grouped(asked) + " asked for, the texts have no more)" : "";
}

/// Pieces per word at another size, and how many pieces that gave; null where the texts have more characters.
nlohmann::json measuredSize(const PieceTexts& texts, const PieceSettings& settings, Console& console) {
    nlohmann::json row{{"size", settings.most}, {"pieces", nullptr}, {"piecesPerWord", nullptr}};
    try {
        const SentencePieces learnt = learnSentencePieces(texts.learnt, settings);
        const PieceFacts facts = PieceReader(learnt.model).facts(texts.held);
        row["pieces"] = learnt.size;
        row["piecesPerWord"] = factsDocument(facts)["piecesPerWord"];
        console.line(counted(learnt.size, "piece") + askedText(learnt.size, settings.most) + ": " + perWordText(facts) + " per word");
    } catch (const Error& error) {
        console.note(error.what());
    }
    return row;
}

} // namespace

void corpusPieces(const PiecesOptions& options, Console& console) {
    if (!std::filesystem::exists(options.data))
        throw Error("corpus.missing", unreadText(options.data), {{"file", options.data.string()}});
    if (!std::filesystem::exists(options.data / "corpus.json"))
        throw Error("corpus.notOurs",
                    options.data.string() +
                        " has no corpus.json, so it cannot store a SentencePiece model. Import it "
                        "first with headroom-worker corpus --from " +
                        options.data.string() + " --out D, and use D.",
                    {{"folder", options.data.string()}});
    const Corpus corpus = openTranscribed(options.data, &console);
    const std::string task = taskOf(corpus, options);
    if (options.separate)
        refuseToSeparate(corpus, options, task);
    const PieceTexts texts = textsOf(corpus, options, task);
    const auto started = std::chrono::steady_clock::now();
    const SentencePieces learnt = learnSentencePieces(texts.learnt, settingsOf(options, options.size));
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    const PieceReader reader(learnt.model);
    const PieceFacts held = reader.facts(texts.held), used = reader.facts(texts.learnt);
    std::vector<NormalisedText> normalised;
    const std::int64_t changed = reader.changed(texts.learnt, kNormalisedShown, normalised);
    const PieceExample example = reader.example(options.text.empty() ? texts.held.front() : options.text);
    console.line(task + ": " + counted(learnt.size, "piece") + askedText(learnt.size, options.size) + ", " + options.model + ", of " +
                 counted(used.sentences, "sentence"));
    console.line(texts.split + ": " + perWordText(held) + " pieces per word, " + grouped(held.unknown) +
                 " unknown of " + grouped(held.pieces) + ", longest sentence " +
                 counted(held.longest, "piece"));
    console.line("never used in training: " + counted(used.unused, "piece"));
    console.line(options.normalisation + " changes " + counted(changed, "sentence"));
    std::string apart;
    for (const std::string& piece : example.pieces)
        apart += (apart.empty() ? "" : " ") + piece;
    console.line("example: " + apart);
    nlohmann::json written;
    if (!options.trial) {
        const auto model = options.data / corpusTokenizerName(task);
        write(model, learnt, console);
        written = model.string();
    }
    const nlohmann::json source = piecesOfSources(corpus, options, task, settingsOf(options, options.size), console);
    auto sizes = nlohmann::json::array();
    for (const int size : std::set<int>(options.sizes.begin(), options.sizes.end()))
        sizes.push_back(measuredSize(texts, settingsOf(options, size), console));
    auto changes = nlohmann::json::array();
    for (const NormalisedText& one : normalised)
        changes.push_back({{"before", one.before}, {"after", one.after}});
    console.document({{"format", "headroom/pieces"},
                      {"version", 1},
                      {"corpus", options.data.string()},
                      {"task", task},
                      {"settings",
                       {{"model", options.model},
                        {"size", options.size},
                        {"coverage", options.coverage},
                        {"normalise", options.normalisation},
                        {"joint", options.joint},
                        {"separate", options.separate}}},
                      {"source", source},
                      {"size", learnt.size},
                      {"seconds", seconds},
                      {"written", written},
                      {"learntOf", used.sentences},
                      {"unused", used.unused},
                      {"split", texts.split},
                      {"held", factsDocument(held)},
                      {"sizes", sizes},
                      {"example", exampleDocument(example)},
                      {"normalised", {{"changed", changed}, {"examples", changes}}}});
}

} // namespace headroom::training
