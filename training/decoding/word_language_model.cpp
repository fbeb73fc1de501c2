// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/decoding/word_language_model.h"

#include "core/text/piece_words.h"
#include "core/text/tokenizer.h"

#include <algorithm>

namespace headroom::training {

struct WordLanguageModel::WordState final : LabelLanguageModel::State {
    std::vector<int> history; ///< complete words, the latest last
    std::string word;         ///< what is written of the next one
};

WordLanguageModel::WordLanguageModel(std::shared_ptr<const NgramModel> words, const Tokenizer& tokenizer, int labels)
    : m_words(std::move(words))
    , m_texts(textsOfPieces(tokenizer)) {
    m_texts.resize(static_cast<std::size_t>(labels));
}

double WordLanguageModel::write(const std::string& text, std::vector<int>& history, std::string& word) const {
    double sum = 0;
    for (const char letter : text) {
        if (letter != ' ') {
            word += letter;
        } else if (!word.empty()) {
            const int id = m_words->word(word);
            sum += m_words->logProbability(history, id);
            history.push_back(id);
            if (history.size() > static_cast<std::size_t>(m_words->order()))
                history.erase(history.begin());
            word.clear();
        }
    }
    return sum;
}

LabelLanguageModel::StatePointer WordLanguageModel::made(std::vector<int> history, std::string word) const {
    auto state = std::make_shared<WordState>();
    state->history = std::move(history);
    state->word = std::move(word);
    std::vector<int> complete = state->history;
    std::string last = state->word;
    const double completed = write(" ", complete, last); // 0 between words
    state->next.resize(m_texts.size());
    for (std::size_t label = 1; label < m_texts.size(); ++label) {
        const std::string& text = m_texts[label];
        const auto space = text.find(' ');
        if (space == std::string::npos)
            continue; // goes on with the word
        if (space == 0 && text.find(' ', 1) == std::string::npos) {
            state->next[label] = completed;
            continue;
        }
        std::vector<int> behind = state->history;
        std::string begun = state->word;
        state->next[label] = write(text, behind, begun);
    }
    state->next[0] = completed + m_words->logProbability(complete, m_words->end());
    return state;
}

LabelLanguageModel::StatePointer WordLanguageModel::start() {
    return made({m_words->start()}, {});
}

LabelLanguageModel::StatePointer WordLanguageModel::extend(const State& state, int label) {
    const auto& before = static_cast<const WordState&>(state);
    std::vector<int> history = before.history;
    std::string word = before.word;
    write(m_texts[static_cast<std::size_t>(label)], history, word);
    return made(std::move(history), std::move(word));
}

} // namespace headroom::training
