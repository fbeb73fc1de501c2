// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/tokenizer_form.h"

#include <filesystem>
#include <memory>
#include <unordered_map>

namespace headroom {

/// The tokens of an ESPnet recipe, “token_list” in its config.yaml, or of a NeMo archive (*.nemo). By “token_type” they are characters (“<space>”
/// between words), words, or SentencePiece's pieces, in which ▁ stands for a space. Such a list says how pieces are joined,
/// not how text is cut into them; that takes the recipe's SentencePiece model.
class TokenList final : public TokenizerForm {
public:
    /// Throws Error "text.missing" or "text.notTokens", which name the file and what is wrong.
    explicit TokenList(const std::filesystem::path& file);
    ~TokenList() override;

    /// Whether text can be made of tokens of this “token_type”.
    static bool writes(const std::string& tokenType);
    /// The SentencePiece model of the config.yaml `file`, “bpemodel”: beside it, or where an archive of a recipe has it.
    /// Empty if it is in neither place.
    static std::filesystem::path pieceModel(const std::filesystem::path& file, const std::string& bpemodel);
    /// The same, with “bpemodel” as `file` has it; bpe.model beside it in a model folder of Headroom's.
    static std::filesystem::path pieceModel(const std::filesystem::path& file);

    /// Whether a NeMo archive lists the labels of its CTC output. Never throws.
    static bool isInArchive(const std::filesystem::path& archive);
    /// The list as a file of its own, token_list.yaml.
    std::string yaml() const;

    int size() const override { return static_cast<int>(m_tokens.size()); }
    /// Throws Error "text.noPieces" where pieces have no SentencePiece model, "text.unknownCharacter" for what no
    /// token writes if there is no “<unk>”.
    std::vector<int> encode(const std::string& text) const override;
    /// “<blank>” and “<sos/eos>” decode to nothing; spaces at both ends are cut.
    std::string decode(std::span<const int> ids) const override;
    std::string piece(int id) const override { return m_tokens.at(static_cast<std::size_t>(id)); }
    int unknownId() const override { return m_unknown; }

private:
    enum class Type { Characters, Words, Pieces };
    int idOf(const std::string& token) const;

    std::string m_name;
    Type m_type = Type::Pieces;
    int m_unknown = -1;
    std::vector<std::string> m_tokens;
    std::unordered_map<std::string, int> m_ids;
    std::unique_ptr<TokenizerForm> m_pieces; ///< null without its model
};

} // namespace headroom
