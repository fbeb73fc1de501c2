// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace headroom {

class Tokenizer;

/// Counts the texts that a vocabulary cannot write, and by which of their characters. A model that is trained on such a
/// text learns the unknown piece in their place. Borrows the tokenizer. Not thread-safe.
class UnknownCharacters {
public:
    explicit UnknownCharacters(const Tokenizer& tokenizer) : m_tokenizer(tokenizer) {}

    /// `text`: UTF-8.
    void add(const std::string& text);
    std::int64_t texts() const { return m_texts; } ///< with a character or a sequence that no piece writes
    /// Character (UTF-8) → in how many texts it occurs.
    const std::map<std::string, std::int64_t>& characters() const { return m_characters; }

private:
    bool isUnknown(const std::string& text) const;
    const Tokenizer& m_tokenizer;
    std::map<std::string, bool> m_asked; ///< character → no piece writes it
    std::map<std::string, std::int64_t> m_characters;
    std::int64_t m_texts = 0;
};

} // namespace headroom
