// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/byte_pairs.h"
#include "core/text/tokenizer_form.h"

#include <filesystem>
#include <unordered_map>

namespace headroom {

/// Byte pair encoding over the letters of words (Sennrich et al. 2016) as fairseq's translation models use
/// it: the last letter of a word carries “</w>”, and the words are Moses' (moses_words.h). <s> 0, <pad> 1,
/// </s> 2, <unk> 3.
class EndOfWordPairs final : public TokenizerForm {
public:
    /// `file`: vocab-src.json of an FSMT folder, with merges.txt and, if present, tokenizer_config.json
    /// (“langs”, “do_lower_case”) beside it; or vocab-tgt.json, which cuts texts by the rules of the target language. Throws Error "text.missing" or "text.notBytePairs", which name
    /// the file and what is wrong.
    explicit EndOfWordPairs(const std::filesystem::path& file);

    int size() const override { return static_cast<int>(m_pieces.size()); }
    std::vector<int> encode(const std::string& text) const override;
    std::string decode(std::span<const int> ids) const override;
    std::string piece(int id) const override { return m_pieces.at(static_cast<std::size_t>(id)); }
    int unknownId() const override { return 3; }

private:
    void readConfig(const std::filesystem::path& file);
    [[noreturn]] void refuse(const std::string& what) const;

    std::string m_name, m_source = "en", m_target = "de";
    bool m_lowerCase = false;
    std::vector<std::string> m_pieces;
    std::unordered_map<std::string, int> m_ids;
    BytePairs m_merges;
};

} // namespace headroom
