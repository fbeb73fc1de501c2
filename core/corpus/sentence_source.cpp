// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/sentence_source.h"

#include "core/corpus/language_tasks.h"
#include "core/errors/error.h"
#include "core/errors/listed.h"

#include <vector>

namespace headroom {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kLanguageTask = "lm";

/// The task whose texts "lm" means.
std::string meantTask(const Corpus& corpus) {
    if (std::string found = textTaskOf(corpus); !found.empty())
        return found;
    std::vector<std::string> names;
    for (const CorpusTask& task : corpus.document().tasks)
        names.push_back(std::string(kLanguageTask) + "_" + task.name);
    throw Error("corpus.noTask",
                corpus.folder().string() +
                    " has no transcripts, but several tasks with texts. Set the recipe's task to one of " +
                    listed(names) + ".",
                {{"data", corpus.folder().string()}});
}

} // namespace

std::optional<SentenceFile> SentenceFile::named(const fs::path& file) {
    fs::path name = file.filename();
    if (name.extension() == ".gz")
        name = name.stem();
    if (name.extension() != ".txt")
        return std::nullopt;
    const std::string stem = name.stem().string();
    for (std::size_t bar = stem.find('_', 1); bar != std::string::npos; bar = stem.find('_', bar + 1))
        if (const std::string task = stem.substr(bar + 1); isLanguageTask(task))
            return SentenceFile{stem.substr(0, bar), task};
    return std::nullopt;
}

fs::path SentenceFile::find(const fs::path& folder, const std::string& split, const std::string& task) {
    std::error_code ignored;
    for (const char* ending : {".txt", ".txt.gz"})
        if (fs::path file = folder / (split + "_" + task + ending); fs::exists(file, ignored))
            return file;
    return {};
}

SentenceSource SentenceSource::open(const fs::path& folder, const std::string& task) {
    SentenceSource result;
    const std::string name = folder.filename().string();
    result.m_folder = name == "corpus.json" || name == "manifest.tsv" ? folder.parent_path() : folder;
    result.m_task = task;
    bool hasFiles = false;
    if (fs::is_directory(result.m_folder))
        for (const auto& entry : fs::directory_iterator(result.m_folder)) {
            const auto file = SentenceFile::named(entry.path());
            hasFiles = hasFiles || (file && file->task == task);
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
    result.m_textTask = task == kLanguageTask ? meantTask(*result.m_corpus) : task.substr(kLanguageTask.size() + 1);
    return result;
}

fs::path SentenceSource::file(const std::string& split) const {
    return SentenceFile::find(m_folder, split, m_task);
}

fs::path SentenceSource::tokenizer() const {
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

} // namespace headroom
