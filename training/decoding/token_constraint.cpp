// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/decoding/token_constraint.h"

#include "core/errors/display_name.h"
#include "core/errors/error.h"
#include "core/errors/unread_file.h"
#include "core/text/piece_words.h"
#include "core/text/tokenizer.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

namespace headroom::training {

namespace {

using Step = TokenConstraint::Step;

constexpr int kAfterSpace = 1; ///< state of OnlyWords
constexpr int kDead = -1;

[[noreturn]] void refuseWords(const std::string& sentence) {
    throw Error("decoding.words", sentence);
}

/// A word as the tokenizer normalises it, which may cut it into several.
std::vector<std::string> normalisedWords(const Tokenizer& tokenizer, const std::string& word) {
    const std::vector<int> ids = tokenizer.encode(word);
    const bool unknown = std::find(ids.begin(), ids.end(), tokenizer.unknownId()) != ids.end();
    std::istringstream written(unknown ? std::string() : tokenizer.decode(ids));
    std::vector<std::string> words{std::istream_iterator<std::string>(written), {}};
    if (words.empty())
        refuseWords("The vocabulary of the model cannot write the word “" + word + "”.");
    return words;
}

} // namespace

int TokenConstraint::after(int state, int token) const {
    const auto all = steps(state);
    const auto found = std::lower_bound(all.begin(), all.end(), token,
                                        [](const Step& step, int wanted) { return step.token < wanted; });
    return found->state;
}

OnlyTokens::OnlyTokens(std::vector<int> tokens) {
    std::sort(tokens.begin(), tokens.end());
    tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
    for (const int token : tokens)
        m_steps.push_back({token, kStart});
}

OnlyWords::OnlyWords(const Tokenizer& tokenizer, std::span<const std::string> words)
    : m_words(2)
    , m_pieces(1) {
    const auto texts = textsOfPieces(tokenizer);
    for (std::size_t id = 0; id < texts.size(); ++id)
        if (!texts[id].empty())
            m_pieces[static_cast<std::size_t>(grown(m_pieces, 0, texts[id]))].tokens.push_back(static_cast<int>(id));
    for (const std::string& word : words)
        for (const std::string& one : normalisedWords(tokenizer, word))
            m_words[static_cast<std::size_t>(grown(m_words, kStart, one))].isWord = true;
    if (m_words[kStart].next.empty())
        refuseWords("There is no word to decode with.");
}

int OnlyWords::grown(std::vector<Node>& tree, int node, const std::string& text) {
    for (const char one : text) {
        const auto found = tree[static_cast<std::size_t>(node)].next.find(one);
        if (found != tree[static_cast<std::size_t>(node)].next.end()) {
            node = found->second;
            continue;
        }
        const auto added = static_cast<int>(tree.size());
        tree.emplace_back();
        tree[static_cast<std::size_t>(node)].next[one] = added;
        node = added;
    }
    return node;
}

/// The state behind one more letter, or kDead.
int OnlyWords::letter(int state, char one) const {
    if (one == ' ') // only behind a word, and before the first
        return state != kAfterSpace && (state == kStart || m_words[static_cast<std::size_t>(state)].isWord) ? kAfterSpace
                                                                                                            : kDead;
    const Node& node = m_words[static_cast<std::size_t>(rootOr(state))];
    const auto next = node.next.find(one);
    return next == node.next.end() ? kDead : next->second;
}

/// Adds the pieces below `piece` that continue a text in `state`.
void OnlyWords::follow(int state, int piece, std::vector<Step>& found) const {
    for (const auto& [one, below] : m_pieces[static_cast<std::size_t>(piece)].next) {
        const int next = letter(state, one);
        if (next == kDead)
            continue;
        for (const int token : m_pieces[static_cast<std::size_t>(below)].tokens)
            if (leadsToAWord(next))
                found.push_back({token, next});
        follow(next, below, found);
    }
}

/// Whether pieces can complete what a text in this state has begun.
bool OnlyWords::leadsToAWord(int state) const {
    if (mayEnd(state))
        return true;
    const auto [known, isNew] = m_alive.emplace(state, false);
    if (!isNew)
        return known->second;
    std::vector<Step> found;
    follow(state, 0, found);
    return m_alive[state] = !found.empty();
}

std::span<const Step> OnlyWords::steps(int state) const {
    const auto [known, isNew] = m_steps.try_emplace(state);
    if (isNew) {
        follow(state, 0, known->second);
        std::sort(known->second.begin(), known->second.end(),
                  [](const Step& a, const Step& b) { return a.token < b.token; });
    }
    return known->second;
}

bool OnlyWords::mayEnd(int state) const {
    return state == kStart || state == kAfterSpace || m_words[static_cast<std::size_t>(state)].isWord;
}

std::shared_ptr<const TokenConstraint> readConstraint(const std::filesystem::path& file, bool pieces,
                                                      const Tokenizer& tokenizer) {
    std::ifstream in(file, std::ios::binary);
    std::error_code ignored;
    if (!in || std::filesystem::is_directory(file, ignored))
        refuseWords(unreadText(file));
    std::map<std::string, int> ids;
    for (int id = 0; pieces && id < tokenizer.size(); ++id)
        ids.emplace(tokenizer.piece(id), id);
    std::vector<int> tokens;
    std::vector<std::string> words;
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        const auto where = [&] { return displayName(file) + ", line " + std::to_string(number) + ": "; };
        if (++number == 1 && line.starts_with("\xEF\xBB\xBF"))
            line.erase(0, 3);
        if (line.ends_with('\r'))
            line.pop_back();
        if (pieces && !line.empty()) {
            const auto found = ids.find(line);
            if (found == ids.end())
                refuseWords(where() + "the vocabulary of the model has no piece “" + line + "”.");
            tokens.push_back(found->second);
        }
        std::istringstream separated(pieces ? std::string() : line);
        for (std::string word; separated >> word;) {
            try { // here, so that the line is known
                normalisedWords(tokenizer, word);
            } catch (const Error& error) {
                refuseWords(where() + error.what());
            }
            words.push_back(std::move(word));
        }
    }
    if (pieces && tokens.empty())
        refuseWords(displayName(file) + " names no piece.");
    if (!pieces && words.empty())
        refuseWords(displayName(file) + " has no word.");
    if (pieces)
        return std::make_shared<OnlyTokens>(std::move(tokens));
    return std::make_shared<OnlyWords>(tokenizer, words);
}

} // namespace headroom::training
