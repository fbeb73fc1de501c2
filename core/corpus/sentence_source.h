// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/corpus/corpus.h"

#include <optional>
#include <string>

namespace headroom {

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
