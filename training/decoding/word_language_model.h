// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/decoding/ctc_prefix_search.h"
#include "training/decoding/ngram_model.h"

#include <memory>
#include <string>
#include <vector>

namespace headroom {
class Tokenizer;
}

namespace headroom::training {

/// A language model of words for a search over pieces: a word is scored when it is complete, that is, when a piece begins
/// the next one or the text ends. Until then its pieces cost nothing. Words are what spaces separate, as written.
class WordLanguageModel final : public LabelLanguageModel {
public:
    /// `words`: shared, never null. The blank's place in a state is label 0.
    WordLanguageModel(std::shared_ptr<const NgramModel> words, const Tokenizer& tokenizer, int labels);
    StatePointer start() override;
    StatePointer extend(const State& state, int label) override;

private:
    struct WordState;
    /// Writes `text` behind a text; returns ln P of the words that it completes.
    double write(const std::string& text, std::vector<int>& history, std::string& word) const;
    StatePointer made(std::vector<int> history, std::string word) const;

    std::shared_ptr<const NgramModel> m_words;
    std::vector<std::string> m_texts; ///< of each label
};

} // namespace headroom::training
