// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/corpus/demo_text.h"

#include "core/corpus/corpus.h"
#include "core/errors/display_name.h"
#include "core/errors/whole_path.h"
#include "core/tensors/atomic_file.h"
#include "training/corpus/demo_corpus.h"
#include "training/corpus/grammar.h"
#include "training/corpus/sentence_pieces.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>
#include <sstream>
#include <unordered_set>

namespace headroom::training {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kTextSentences = 105; ///< a stream of random numbers of its own (demo_corpus.cpp)

std::vector<Sentence> differentSentences(const DemoTextOptions& options) {
    Random random({options.seed, kTextSentences});
    std::unordered_set<std::string> said;
    std::vector<Sentence> sentences;
    while (static_cast<std::int64_t>(sentences.size()) < options.sentences)
        if (auto sentence = randomSentence(random); said.insert(sentence.english).second)
            sentences.push_back(std::move(sentence));
    return sentences;
}

std::int64_t distinctWords(const std::vector<Sentence>& sentences) {
    std::set<std::string> words;
    for (const auto& sentence : sentences) {
        std::string plain = sentence.english;
        for (char& c : plain)
            c = static_cast<char>(
                c == '.' || c == ',' || c == '?' ? ' ' : std::tolower(static_cast<unsigned char>(c)));
        std::istringstream each(plain);
        for (std::string word; each >> word;)
            words.insert(word);
    }
    return static_cast<std::int64_t>(words.size());
}

DemoTextSummary writeText(const fs::path& folder, const DemoTextOptions& options) {
    const auto sentences = differentSentences(options);
    DemoTextSummary summary;
    summary.words = distinctWords(sentences);
    CorpusDocument document;
    document.name = "demo text";
    document.about = "Sentences of a small grammar in English, German and Spanish.";
    document.languages = {"en", "de", "es"};
    document.splits = {"train", "dev", "test"};
    document.tasks = {{"translate", "en", "de", true}, {"translate_es", "en", "es", true}};
    document.made = {{"by", "headroom-worker corpus demo --text"},
                     {"sentences", options.sentences},
                     {"seed", options.seed}};
    for (const auto& task : document.tasks) {
        std::map<std::string, std::vector<Utterance>> tables;
        std::vector<std::string> learnt;
        for (std::size_t i = 0; i < sentences.size(); ++i) {
            std::array<char, 32> id{};
            std::snprintf(id.data(), id.size(), "text-%07zu", i);
            Utterance pair;
            pair.id = id.data();
            pair.sourceText = sentences[i].english;
            pair.text = task.target == "de" ? sentences[i].german : sentences[i].spanish;
            const std::string split = demoSplitOf(sentences[i].english);
            if (split == document.splits.front()) {
                learnt.push_back(pair.sourceText);
                learnt.push_back(pair.text);
            }
            tables[split].push_back(std::move(pair));
        }
        for (const auto& split : document.splits) {
            writeCorpusTable(folder, split, task, tables[split]);
            summary.splits[split] = static_cast<std::int64_t>(tables[split].size());
        }
        const auto pieces = learnSentencePieces(learnt, options.pieces);
        const auto model = folder / corpusTokenizerName(task.name);
        writeAtomically(model, pieces.model, "corpus.unwritable");
        writeAtomically(fs::path(model).replace_extension(".vocab"), pieces.vocabulary, "corpus.unwritable");
        summary.pieces[task.name] = pieces.size;
    }
    writeCorpusDocument(folder / "corpus.json", document);
    return summary;
}

} // namespace

DemoTextSummary makeDemoText(const DemoTextOptions& options) {
    std::error_code ignored;
    if (fs::exists(options.out, ignored) && (!fs::is_directory(options.out) || !fs::is_empty(options.out)))
        throw Error("corpus.notEmpty",
                    displayName(options.out) +
                        " already exists and is not an empty folder. Choose a new one.",
                    {{"file", displayName(options.out)}});
    const fs::path named = wholePath(options.out);
    const fs::path hidden = named.parent_path() / ("." + named.filename().string() + ".making");
    try {
        fs::remove_all(hidden);
        fs::create_directories(hidden);
        const DemoTextSummary summary = writeText(hidden, options);
        fs::remove(named, ignored); // an empty folder
        fs::rename(hidden, named);
        return summary;
    } catch (const fs::filesystem_error& failure) {
        fs::remove_all(hidden, ignored);
        throw Error("corpus.unwritable",
                    displayName(options.out) + " could not be written: " + failure.code().message() + ".",
                    {{"file", displayName(options.out)}});
    } catch (...) {
        fs::remove_all(hidden, ignored);
        throw;
    }
}

} // namespace headroom::training
