// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headroom {
class Tokenizer;
}

namespace headroom::training {

/// Which tokens may follow a text: a machine whose states are what a text has said so far. A search follows it, so
/// that no other text is found. The end of a text is no token here. One thread at a time.
class TokenConstraint {
public:
    static constexpr int kStart = 0; ///< the state of the empty text
    struct Step {
        int token, state; ///< the state behind the token
    };

    virtual ~TokenConstraint() = default;
    /// The tokens that may follow a text in `state`, in the order of their ids.
    virtual std::span<const Step> steps(int state) const = 0;
    virtual bool mayEnd(int state) const = 0;
    /// The state behind `token`, which is one of steps(state).
    int after(int state, int token) const;
};

/// These tokens and no others, in any order.
class OnlyTokens final : public TokenConstraint {
public:
    explicit OnlyTokens(std::vector<int> tokens);
    std::span<const Step> steps(int) const override { return m_steps; }
    bool mayEnd(int) const override { return true; }

private:
    std::vector<Step> m_steps;
};

/// Texts of these words and no others, in any order and however pieces cut them. A text ends behind a whole word. A
/// piece that writes a part of a letter (bytes) is never used.
class OnlyWords final : public TokenConstraint {
public:
    /// Words as the tokenizer normalises them. Throws Error "decoding.words" for a word that the vocabulary cannot
    /// write, and for no word at all.
    OnlyWords(const Tokenizer& tokenizer, std::span<const std::string> words);
    std::span<const Step> steps(int state) const override;
    bool mayEnd(int state) const override;

private:
    /// A tree of letters (bytes). Of words: state 0 is the start of the text, 1 behind a space, both of them the root.
    struct Node {
        std::map<char, int> next;
        bool isWord = false;
        std::vector<int> tokens{}; ///< of the pieces' tree: those that are written so
    };
    static int grown(std::vector<Node>& tree, int node, const std::string& text);
    int rootOr(int state) const { return state == 1 ? 0 : state; }
    int letter(int state, char letter) const;
    void follow(int state, int piece, std::vector<Step>& found) const;
    bool leadsToAWord(int state) const;

    std::vector<Node> m_words, m_pieces;
    mutable std::map<int, std::vector<Step>> m_steps;
    mutable std::map<int, bool> m_alive;
};

/// Reads the words of a file, which white space separates, for OnlyWords; `pieces`: instead a piece a line, as the
/// vocabulary names it, for OnlyTokens. Throws Error "decoding.words", which names the file and the line.
std::shared_ptr<const TokenConstraint> readConstraint(const std::filesystem::path& file, bool pieces,
                                                      const Tokenizer& tokenizer);

} // namespace headroom::training
