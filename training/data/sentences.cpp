// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/data/sentences.h"

#include "core/corpus/kinds/text_lines.h"
#include "core/corpus/tab_separated.h"
#include "core/errors/listed.h"
#include "training/data/left_out.h"

namespace headroom::training {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kTask = "lm";

/// The file with the sentences of a split; empty: there is none.
fs::path sentenceFile(const fs::path& folder, const std::string& split, const std::string& task) {
    for (const char* ending : {".txt", ".txt.gz"})
        if (const fs::path file = folder / (split + "_" + task + ending); fs::exists(file))
            return file;
    return {};
}

/// The task whose texts "lm" means.
std::string textTask(const Corpus& corpus) {
    if (std::string found = textTaskOf(corpus); !found.empty())
        return found;
    std::vector<std::string> names;
    for (const CorpusTask& task : corpus.document().tasks)
        names.push_back(std::string(kTask) + "_" + task.name);
    throw Error("corpus.noTask",
                corpus.folder().string() +
                    " has no transcripts, but several tasks with texts. Set the recipe's task to one of " +
                    listed(names) + ".",
                {{"data", corpus.folder().string()}});
}

} // namespace

Sentences Sentences::open(const fs::path& folder, const std::string& task) {
    Sentences result;
    const std::string name = folder.filename().string();
    result.m_folder = name == "corpus.json" || name == "manifest.tsv" ? folder.parent_path() : folder;
    result.m_task = task;
    bool hasFiles = false;
    if (fs::is_directory(result.m_folder))
        for (const auto& entry : fs::directory_iterator(result.m_folder)) {
            const std::string file = entry.path().filename().string();
            hasFiles =
                hasFiles || file.ends_with("_" + task + ".txt") || file.ends_with("_" + task + ".txt.gz");
        }
    const bool isCorpus =
        fs::exists(result.m_folder / "corpus.json") || fs::exists(result.m_folder / "manifest.tsv");
    if (hasFiles && !isCorpus)
        return result;
    if (!isCorpus && fs::is_directory(result.m_folder))
        throw Error("corpus.notACorpus",
                    result.m_folder.string() + " has neither train_" + task +
                        ".txt nor a corpus.json. Put the sentences into train_" + task + ".txt and dev_" +
                        task + ".txt, one a line, with " + task + ".sentencepiece.model beside them.",
                    {{"file", result.m_folder.string()}});
    result.m_corpus = Corpus::open(folder, {}, Corpus::Wanted::Texts);
    result.m_textTask = task == kTask ? textTask(*result.m_corpus) : task.substr(kTask.size() + 1);
    return result;
}

std::vector<std::string> Sentences::files(const fs::path& folder, const std::string& task, const std::set<std::string>& splits) {
    const Sentences sentences = open(folder, task);
    const fs::path tokenizer = sentences.tokenizer();
    std::set<fs::path> used{tokenizer, fs::path(tokenizer).replace_extension(".vocab")};
    if (sentences.m_corpus) // it says which task has the texts and the SentencePiece model
        used.insert(sentences.m_folder / (sentences.m_corpus->kind() == Corpus::Kind::Manifest ? "manifest.tsv" : "corpus.json"));
    for (const std::string& split : splits) {
        const fs::path own = sentenceFile(sentences.m_folder, split, task);
        used.insert(own.empty() ? sentences.m_folder / corpusTableName(split, sentences.m_textTask) : own);
    }
    std::vector<std::string> names;
    for (const fs::path& file : used)
        if (fs::exists(file))
            names.push_back(file.filename().string());
    return names;
}

fs::path Sentences::tokenizer() const {
    const fs::path own = m_folder / corpusTokenizerName(m_task);
    if (fs::exists(own))
        return own;
    if (!m_textTask.empty())
        if (const fs::path file = m_folder / corpusTokenizerName(m_textTask); fs::exists(file))
            return file;
    throw Error("data.tokenizer",
                m_folder.string() + " has no " + own.filename().string() +
                    (m_textTask.empty() ? "" : " and no " + corpusTokenizerName(m_textTask)) +
                    ". Copy the SentencePiece model of the speech model that is to be decoded with it.",
                {{"file", own.string()}});
}

ExampleSet Sentences::read(const Recipe& recipe, const std::string& split, bool forTraining,
                           const Tokenizer& tokenizer, int unknownId) const {
    ExampleSet set;
    LeftOut leftOut("sentence");
    UnknownText unknown(unknownId, "sentence");
    const std::int64_t longest = forTraining ? recipe.data.maxFrames : recipe.data.maxBatchFrames;
    const auto add = [&](std::string id, const std::string& text) {
        const std::string trimmed(trimmedText(text));
        if (trimmed.empty())
            return leftOut.add("there is no text", id);
        if (!isText(trimmed))
            return leftOut.add("it is not UTF-8", id);
        Example example;
        example.target = tokenizer.encode(trimmed);
        example.frames = static_cast<std::int64_t>(example.target.size()) + 1;
        if (example.frames < recipe.data.minFrames)
            return leftOut.add("shorter than " + std::to_string(recipe.data.minFrames) + " tokens", id);
        if (example.frames > longest)
            return leftOut.add("longer than " + std::to_string(longest) + " tokens", id);
        if (unknown.isIn(example.target))
            unknown.add(id, trimmed);
        example.id = std::move(id);
        set.examples.push_back(std::move(example));
    };
    fs::path from = sentenceFile(m_folder, split, m_task);
    if (!from.empty()) {
        LineReader reader(from);
        for (std::string line; reader.next(line);)
            add(split + ":" + std::to_string(reader.number()), line);
    } else if (m_corpus) {
        from = m_folder / corpusTableName(split, m_textTask);
        for (const Utterance& utterance : m_corpus->utterances(split, m_textTask))
            add(utterance.id, utterance.text);
    } else {
        throw Error("data.empty", m_folder.string() + " has no " + split + "_" + m_task + ".txt.",
                    {{"split", split}, {"task", m_task}});
    }
    if (forTraining)
        unknown.judge(recipe.data, split, set.notes);
    for (std::string& sentence : leftOut.sentences(split))
        set.notes.push_back(std::move(sentence));
    if (set.examples.empty())
        throw Error("data.empty",
                    from.string() + " has no sentence for " + split +
                        (set.notes.empty() ? "." : ": " + set.notes.front()),
                    {{"split", split}, {"task", m_task}});
    return set;
}

} // namespace headroom::training
