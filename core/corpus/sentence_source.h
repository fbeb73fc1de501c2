// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/corpus/corpus.h"

#include <filesystem>
#include <optional>
#include <string>

namespace headroom {

/// A file of sentences by its name: SPLIT_TASK.txt or SPLIT_TASK.txt.gz, where TASK is "lm" or "lm_…": "dev_lm_st_de.txt".
struct SentenceFile {
    std::string split, task;
    /// Returns `nullopt` for another name. Asks no disk.
    static std::optional<SentenceFile> named(const std::filesystem::path& file);
    /// Returns the file of a split in a folder, the plain one before the compressed one; empty if there is neither.
    static std::filesystem::path find(const std::filesystem::path& folder, const std::string& split, const std::string& task);
};

/// Where the sentences of a language model are: `SPLIT_lm.txt` or `SPLIT_lm.txt.gz` in the folder (one sentence a line, UTF-8), else
/// the texts of a task of the corpus. "lm_TASK" names that task and the files `SPLIT_lm_TASK.txt`; "lm" takes the transcripts, or
/// the only task there is. A value; its functions look at the folder.
class SentenceSource {
public:
    /// Blocks. Throws Error "corpus.notACorpus" if the folder has neither such a file nor a corpus, "corpus.noTask" if "lm" could mean
    /// several tasks, and the errors of Corpus::open.
    static SentenceSource open(const std::filesystem::path& folder, const std::string& task);

    const std::filesystem::path& folder() const { return m_folder; }
    const std::string& task() const { return m_task; }                     ///< "lm" or "lm_TASK"
    const Corpus* corpus() const { return m_corpus ? &*m_corpus : nullptr; } ///< null: the folder has text files only
    const std::string& textTask() const { return m_textTask; } ///< whose texts are taken; empty: none of the corpus
    /// Returns the file with the sentences of a split; empty: there is none, so they are texts of the corpus.
    std::filesystem::path file(const std::string& split) const;
    /// Returns `lm.sentencepiece.model`, or that of the corpus's task. Throws Error "data.tokenizer" if there is none.
    std::filesystem::path tokenizer() const;

private:
    std::filesystem::path m_folder;
    std::string m_task, m_textTask;
    std::optional<Corpus> m_corpus;
};

} // namespace headroom
