// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace headroom {

class TokenizerForm;

/// The vocabulary of a model. Immutable after loading; safe on every thread.
class Tokenizer {
public:
    /// `model`: a SentencePiece model, or a byte-level byte pair encoding (tokenizer.json, or vocab.json with
    /// merges.txt beside it). Throws Error "text.missing", "text.notSentencePiece" or "text.notBytePairs",
    /// which name the file.
    explicit Tokenizer(const std::filesystem::path& model);
    ~Tokenizer();
    Tokenizer(Tokenizer&&) noexcept;
    Tokenizer& operator=(Tokenizer&&) noexcept;

    int size() const;
    std::vector<int> encode(const std::string& text) const;
    /// Ids outside [0, size()) throw Error "text.badId". Control pieces (<s>, </s>,
    /// <pad>, <|en|>, times) decode to nothing.
    std::string decode(std::span<const int> ids) const;
    std::string piece(int id) const;

private:
    void check(int id) const;

    std::string m_name;
    std::unique_ptr<TokenizerForm> m_form;
};

} // namespace headroom
