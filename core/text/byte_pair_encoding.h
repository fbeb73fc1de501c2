// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/byte_pairs.h"
#include "core/text/tokenizer_form.h"

#include <array>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <unordered_map>

namespace headroom {

/// Byte-level byte pair encoding, as GPT-2 and Whisper use it (Radford et al. 2019; Sennrich et al. 2016). A
/// text is cut into words (gpt2Words), each of its bytes is written as a printable character, and the pair
/// with the lowest rank among the merges is joined until no pair has a rank.
///
/// Special tokens ("<|endoftext|>", times) are pieces of their own. They are never made by encode(), and
/// decode() leaves them out. A Whisper vocabulary whose last piece is <|notimestamps|> is continued by
/// <|0.00|>, <|0.02|> … <|30.00|>, which older files do not list.
class BytePairEncoding final : public TokenizerForm {
public:
    /// `file`: tokenizer.json, or vocab.json with merges.txt and perhaps added_tokens.json beside it. Throws
    /// Error "text.missing" or "text.notBytePairs", which name the file and what is wrong.
    explicit BytePairEncoding(const std::filesystem::path& file);

    int size() const override { return m_listed; }
    int idEnd() const override { return static_cast<int>(m_pieces.size()); } ///< with times that are not listed
    std::vector<int> encode(const std::string& text) const override;
    /// Bytes that are not UTF-8 become U+FFFD, as in the library.
    std::string decode(std::span<const int> ids) const override;
    std::string piece(int id) const override { return m_pieces.at(static_cast<std::size_t>(id)); }
    int unknownId() const override { return -1; } ///< every byte has a piece
    bool isSpecial(int id) const { return m_special.at(static_cast<std::size_t>(id)); }

private:
    void readTokenizerJson(const nlohmann::json& document);
    void readVocabulary(const nlohmann::json& vocabulary);
    void addSpecial(const nlohmann::json& id, const std::string& content);
    void setPiece(std::int64_t id, const std::string& text, bool special);
    void continueTimes();
    void checkComplete() const;
    [[noreturn]] void refuse(const std::string& what) const;

    std::string m_name;
    int m_listed = 0;
    std::vector<std::string> m_pieces;
    std::vector<bool> m_present, m_special;
    std::unordered_map<std::string, int> m_ids; ///< of pieces that are not special
    BytePairs m_merges;
};

/// Cuts a UTF-8 text as GPT-2 does, by the regular expression
///   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
/// The words joined give the text.
std::vector<std::string_view> gpt2Words(std::string_view text);

} // namespace headroom
