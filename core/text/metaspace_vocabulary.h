// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/byte_pairs.h"
#include "core/text/tokenizer_form.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <unordered_map>

namespace headroom {

/// SentencePiece's pieces in a tokenizer.json of Hugging Face, where ▁ stands for a space: a unigram model
/// (the most probable pieces) or byte pair encoding (the pair with the lowest rank first). Parakeet's CTC has
/// such pieces.
///
/// Texts are encoded as they are: the normaliser of the file (Unicode NFKC in most) is not applied. Where no piece has a
/// capital letter, texts are written in lower case, as its model was taught.
class MetaspaceVocabulary final : public TokenizerForm {
public:
    /// Whether `file` is a tokenizer.json whose decoder turns ▁ into spaces.
    static bool isIn(const std::filesystem::path& file);
    /// Throws Error "text.missing" or "text.notMetaspace", which name the file and what is wrong.
    explicit MetaspaceVocabulary(const std::filesystem::path& file);

    int size() const override { return static_cast<int>(m_pieces.size()); }
    std::vector<int> encode(const std::string& text) const override;
    /// Special pieces but the unknown one decode to nothing; spaces at both ends are cut.
    std::string decode(std::span<const int> ids) const override;
    std::string piece(int id) const override { return m_pieces.at(static_cast<std::size_t>(id)); }
    int unknownId() const override { return m_unknown; }

private:
    void readPieces(const nlohmann::json& vocabulary);
    void readMerges(const nlohmann::json& merges);
    void add(const std::string& piece, std::int64_t id);
    std::vector<int> mostProbable(const std::string& text) const;
    std::vector<int> merged(const std::string& word) const;
    [[noreturn]] void refuse(const std::string& what) const;

    std::string m_name;
    bool m_unigram = true, m_lowerCase = true;
    int m_unknown = -1;
    std::vector<std::string> m_pieces;
    std::vector<double> m_scores; ///< unigram: logarithms
    std::vector<bool> m_special;
    std::unordered_map<std::string, int> m_ids; ///< of pieces that are not special
    BytePairs m_merges;
    std::size_t m_longest = 0; ///< bytes of the longest piece
};

} // namespace headroom
