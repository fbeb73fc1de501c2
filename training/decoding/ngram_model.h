// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace headroom::training {

/// An n-gram language model with back-off, as ARPA files hold it (SRILM, KenLM, IRSTLM). Immutable after reading; safe on
/// every thread.
///
///     ln P(w | h) = ln p(h w) if the file has h w, else backoff(h) + ln P(w | h without its first word)
///
/// A word that the file does not have is <unk>; without <unk> it has 10^-100, as in KenLM.
class NgramModel {
public:
    /// Reads a file, plain or gzip. Throws Error "ngram.badArpa", which names the file and the line: no \\data\\ or
    /// \\end\\, other numbers of n-grams than announced, a line that is no n-gram, a probability above 1, a word that is
    /// no 1-gram, an n-gram that occurs twice; and what reading a text file throws.
    static NgramModel read(const std::filesystem::path& file);

    int order() const { return m_order; }
    int word(const std::string& text) const; ///< its id; that of <unk> if the file has no such word
    int start() const { return m_start; }    ///< <s>
    int end() const { return m_end; }        ///< </s>
    /// ln P of a word behind a history, the latest word last; at most order() − 1 words of it count.
    double logProbability(std::span<const int> history, int word) const;

private:
    struct Entry {
        float logProbability = 0, backoff = 0; ///< log10, as in the file
    };
    struct IdsHash {
        std::size_t operator()(const std::vector<int>& ids) const;
    };
    int m_order = 0, m_start = 0, m_end = 0, m_unknown = 0;
    std::unordered_map<std::string, int> m_words;
    std::vector<std::unordered_map<std::vector<int>, Entry, IdsHash>> m_grams; ///< by length − 1
};

} // namespace headroom::training
