// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace headroom {

class TokenizerForm;

/// The vocabulary of a model. Immutable after loading; safe on every thread.
class Tokenizer {
public:
    /// `model`: a SentencePiece model, a byte-level byte pair encoding (tokenizer.json, or vocab.json with
    /// merges.txt beside it), a vocabulary of characters (vocab.json alone, or a file of a language,
    /// core/model_folders/language_adapter.h), a list of tokens (*.yaml, ESPnet; *.nemo), or a dictionary of fairseq (*.txt).
    /// Throws Error "text.missing", "text.notSentencePiece", "text.notBytePairs", "text.notCharacters" or
    /// "text.notTokens", which name the file.
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
    /// The id of text that no piece can write; −1 if there is none.
    int unknownId() const;
    /// Whether <pad> is 1 and </s> is 2, as every decoder here needs.
    bool hasSpeechToTextIds() const;

private:
    void check(int id) const;

    std::string m_name;
    std::unique_ptr<TokenizerForm> m_form;
};

/// Hugging Face's name for the SentencePiece model of a Speech2Text folder. It cuts texts; vocab.json beside it only numbers the pieces.
inline constexpr const char* kNumberedPieces = "sentencepiece.bpe.model";
/// Returns the SentencePiece model of a model folder, by Hugging Face's name or Headroom's; empty if there is none.
std::filesystem::path sentencePieceIn(const std::filesystem::path& folder);
/// Returns what cuts the texts of a model folder: a SentencePiece model, tokenizer.json, vocab.json, token_list.yaml or a dictionary
/// of fairseq; empty if there is none. A file of a language is its own (core/model_folders/language_adapter.h).
std::filesystem::path tokenizerIn(const std::filesystem::path& folder);
/// The same for the texts that a translation model reads, if they have a vocabulary of their own: source.sentencepiece.model, or
/// vocab-src.json beside vocab-tgt.json (FSMT), or source.dict.LANGUAGE.txt (fairseq).
std::filesystem::path sourceTokenizerIn(const std::filesystem::path& folder);
/// Returns the files that belong to a tokenizer, each with its name in a model folder of Headroom's, and those of a tokenizer of
/// the source, if `source` is not empty; no name occurs twice. Not those of an archive or of one of several languages, which
/// are written anew: written_vocabulary.h.
std::vector<std::pair<std::string, std::filesystem::path>>
filesOfTokenizer(const std::filesystem::path& tokenizer, const std::filesystem::path& source = {});
/// Returns what token_list.yaml of a model folder of Headroom's says, if the tokenizer is in an archive; otherwise empty.
std::string writtenTokens(const std::filesystem::path& tokenizer);

} // namespace headroom
