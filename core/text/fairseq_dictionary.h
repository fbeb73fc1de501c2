// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/byte_pairs.h"
#include "core/text/tokenizer_form.h"

#include <filesystem>
#include <unordered_map>

namespace headroom {

/// The dictionary of a translation model of fairseq (`dict.de.txt`, “PIECE COUNT” a line) over Moses' words, whose parts but the
/// last end with “@@” (subword-nmt, fastBPE). <s> 0, <pad> 1, </s> 2, <unk> 3, then the lines.
class FairseqDictionary final : public TokenizerForm {
public:
    /// The language is what stands before .txt: “de”. The merges are `code`, `codes` or `bpecodes` beside the file; without them
    /// a word is one piece. Text is put in small letters if no piece has a capital one. Throws Error "text.missing" or
    /// "text.notBytePairs", which name the file and what is wrong.
    explicit FairseqDictionary(const std::filesystem::path& file);

    int size() const override { return static_cast<int>(m_pieces.size()); }
    std::vector<int> encode(const std::string& text) const override;
    std::string decode(std::span<const int> ids) const override;
    std::string piece(int id) const override { return m_pieces.at(static_cast<std::size_t>(id)); }
    int unknownId() const override { return 3; }

    /// Returns the merges beside a dictionary; empty if there are none.
    static std::filesystem::path codesBeside(const std::filesystem::path& dictionary);
    /// Whether the end of a word is a letter of its own in these merges. The header of subword-nmt 0.2, or a third column (fastBPE), says
    /// that it belongs to the last letter.
    static bool endsStandAlone(const std::filesystem::path& codes);
    /// Whether the pieces are SentencePiece's: their words begin with “▁”, and this form does not read them.
    static bool isOfSentencePiece(const std::filesystem::path& dictionary);

private:
    std::vector<std::string> wordsOf(const std::string& text) const;
    [[noreturn]] void refuse(const std::string& what) const;

    std::string m_name, m_language;
    std::vector<std::string> m_pieces;
    std::unordered_map<std::string, int> m_ids;
    BytePairs m_merges;
    bool m_hasMerges = false, m_lowerCase = true;
    bool m_endStandsAlone = false; ///< subword-nmt 0.1: the end of a word is a letter of its own
};

} // namespace headroom
