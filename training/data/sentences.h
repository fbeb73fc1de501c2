// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/corpus/language_tasks.h"
#include "core/corpus/sentence_source.h"
#include "training/data/examples.h"

#include <filesystem>
#include <set>
#include <string>
#include <utility>

namespace headroom::training {

/// The sentences that a language model learns, split by split, from where SentenceSource finds them.
///
/// The SentencePiece model is `lm.sentencepiece.model`, or that of the corpus's task, so that a speech model
/// of the same corpus can be decoded with it. All sentences are held in memory, about 300 bytes and 4 for
/// each token. open() and read() block.
class Sentences {
public:
    /// Throws the errors of SentenceSource::open.
    static Sentences open(const std::filesystem::path& folder, const std::string& task);
    /// The files of the folder that open(), tokenizer() and read() of these splits read, as names in it: no recordings. Throws as
    /// open() and tokenizer().
    static std::vector<std::string> files(const std::filesystem::path& folder, const std::string& task,
                                          const std::set<std::string>& splits);

    /// Null if the folder has text files only.
    const Corpus* corpus() const { return m_source.corpus(); }
    /// Throws Error "data.tokenizer" if there is none.
    std::filesystem::path tokenizer() const { return m_source.tokenizer(); }
    /// Returns the usable sentences: not empty, and with as many tokens, </s> included, as the recipe keeps (Recipe::Data::limits()).
    /// Throws Error "data.empty" if none is left, "data.unknownPieces" as readExamples, and
    /// the errors of reading a file.
    ExampleSet read(const Recipe& recipe, const std::string& split, bool forTraining,
                    const Tokenizer& tokenizer, int unknownId) const;

private:
    explicit Sentences(SentenceSource source) : m_source(std::move(source)) {}
    SentenceSource m_source;
};

} // namespace headroom::training
