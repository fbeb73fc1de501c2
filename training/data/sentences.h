// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/corpus/language_tasks.h"
#include "training/data/examples.h"

#include <filesystem>
#include <optional>
#include <set>
#include <string>

namespace headroom::training {

/// The sentences that a language model learns, split by split. A split is `SPLIT_lm.txt` or `SPLIT_lm.txt.gz`
/// in the folder (one sentence a line, UTF-8); without such a file it is the texts of a task of the corpus.
/// "lm_TASK" names that task and the files `SPLIT_lm_TASK.txt`; "lm" takes the transcripts, or the only task
/// there is.
///
/// The SentencePiece model is `lm.sentencepiece.model`, or that of the corpus's task, so that a speech model
/// of the same corpus can be decoded with it. All sentences are held in memory, about 300 bytes and 4 for
/// each token. open() and read() block.
class Sentences {
public:
    /// Throws Error "corpus.noTask" if "lm" could mean several tasks, and the errors of Corpus::open.
    static Sentences open(const std::filesystem::path& folder, const std::string& task);
    /// The files of the folder that open(), tokenizer() and read() of these splits read, as names in it: no recordings. Throws as
    /// open() and tokenizer().
    static std::vector<std::string> files(const std::filesystem::path& folder, const std::string& task,
                                          const std::set<std::string>& splits);

    /// Null if the folder has text files only.
    const Corpus* corpus() const { return m_corpus ? &*m_corpus : nullptr; }
    /// Throws Error "data.tokenizer" if there is none.
    std::filesystem::path tokenizer() const;
    /// Returns the usable sentences: not empty, at least minFrames tokens with </s>, and `forTraining` at
    /// most maxFrames. Throws Error "data.empty" if none is left, "data.unknownPieces" as readExamples, and
    /// the errors of reading a file.
    ExampleSet read(const Recipe& recipe, const std::string& split, bool forTraining,
                    const Tokenizer& tokenizer, int unknownId) const;

private:
    std::filesystem::path m_folder;
    std::string m_task;     ///< "lm" or "lm_TASK"
    std::string m_textTask; ///< whose texts are taken; empty: none of the corpus
    std::optional<Corpus> m_corpus;
};

} // namespace headroom::training
