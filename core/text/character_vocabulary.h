// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/tokenizer_form.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <unordered_map>

namespace headroom {

/// The characters of a CTC output, as wav2vec 2.0 and its kin use them: each piece is a character, one of them
/// stands between words (“|”), and the blank is the piece that pads. Phoneme vocabularies are the same with a
/// space between pieces.
class CharacterVocabulary final : public TokenizerForm {
public:
    /// `file`: vocab.json {piece: id}, or {language: {piece: id}} (MMS), with tokenizer_config.json (the
    /// delimiter, special pieces, the language in use) and added_tokens.json beside it if present; or a file
    /// of a language (core/model_folders/language_adapter.h), which stands for its vocabulary in the
    /// vocab.json beside it. Throws Error "text.missing" or "text.notCharacters", which name the file and
    /// what is wrong.
    explicit CharacterVocabulary(const std::filesystem::path& file);

    int size() const override { return static_cast<int>(m_pieces.size()); }
    /// A character that is no piece is looked up in its other case (ASCII), then becomes the unknown piece.
    /// Throws Error "text.unknownCharacter" if there is none.
    std::vector<int> encode(const std::string& text) const override;
    /// The padding piece decodes to nothing, the delimiter to a space; spaces at both ends are cut.
    std::string decode(std::span<const int> ids) const override;
    std::string piece(int id) const override { return m_pieces.at(static_cast<std::size_t>(id)); }
    int unknownId() const override { return m_unknown; }
    /// Returns the pieces as a vocab.json that is not nested.
    std::string flat() const;

private:
    void readConfig(const std::filesystem::path& file);
    void readVocabulary(const nlohmann::json& vocabulary);
    void add(const std::string& piece, const nlohmann::json& id);
    int idOf(const std::string& piece) const;
    [[noreturn]] void refuse(const std::string& what) const;

    std::string m_name, m_language, m_delimiter = "|", m_space = " ", m_padding = "<pad>",
                                    m_unknownPiece = "<unk>";
    bool m_asked = false; ///< the language was, by a file of it
    bool m_lowerCase = false, m_phonemes = false;
    int m_unknown = -1;
    std::vector<std::string> m_pieces;
    std::unordered_map<std::string, int> m_ids;
};

} // namespace headroom
