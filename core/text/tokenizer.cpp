// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer.h"

#include "core/errors/display_name.h"
#include "core/errors/error.h"
#include "core/text/byte_pair_encoding.h"
#include "core/text/character_vocabulary.h"
#include "core/text/end_of_word_pairs.h"
#include "core/text/metaspace_vocabulary.h"
#include "core/text/sentence_piece_form.h"
#include "core/text/token_list.h"

namespace headroom {

namespace {

/// A vocabulary of pairs comes with its merges; one of characters has none.
bool isBytePairs(const std::filesystem::path& file) {
    return file.filename() == "tokenizer.json" || std::filesystem::exists(file.parent_path() / "merges.txt");
}

std::unique_ptr<TokenizerForm> readForm(const std::filesystem::path& file) {
    if (file.extension() == ".yaml" || file.extension() == ".nemo")
        return std::make_unique<TokenList>(file);
    if (file.filename() == "vocab-src.json")
        return std::make_unique<EndOfWordPairs>(file);
    if (file.extension() == ".json" && MetaspaceVocabulary::isIn(file))
        return std::make_unique<MetaspaceVocabulary>(file);
    if (file.extension() == ".json")
        return isBytePairs(file) ? std::unique_ptr<TokenizerForm>(std::make_unique<BytePairEncoding>(file))
                                 : std::make_unique<CharacterVocabulary>(file);
    return readSentencePiece(file);
}

} // namespace

std::filesystem::path tokenizerIn(const std::filesystem::path& folder) {
    for (const char* name : {"sentencepiece.model", "tokenizer.json", "vocab.json", "vocab-src.json", "token_list.yaml"})
        if (std::filesystem::exists(folder / name))
            return folder / name;
    return {};
}

std::vector<std::pair<std::string, std::filesystem::path>>
filesOfTokenizer(const std::filesystem::path& tokenizer) {
    if (tokenizer.extension() == ".nemo")
        return {};
    if (tokenizer.extension() == ".yaml") {
        const std::filesystem::path pieces = TokenList::pieceModel(tokenizer);
        std::vector<std::pair<std::string, std::filesystem::path>> files{{"token_list.yaml", tokenizer}};
        if (!pieces.empty())
            files.emplace_back("bpe.model", pieces);
        return files;
    }
    if (tokenizer.extension() != ".json")
        return {{"sentencepiece.model", tokenizer}};
    std::vector<std::pair<std::string, std::filesystem::path>> files{
        {tokenizer.filename().string(), tokenizer}};
    for (const char* name : {"merges.txt", "tokenizer_config.json", "added_tokens.json", "special_tokens_map.json"})
        if (const auto beside = tokenizer.parent_path() / name; std::filesystem::exists(beside))
            files.emplace_back(name, beside);
    return files;
}

std::string writtenTokens(const std::filesystem::path& tokenizer) {
    return tokenizer.extension() == ".nemo" ? TokenList(tokenizer).yaml() : std::string();
}

Tokenizer::Tokenizer(const std::filesystem::path& model)
    : m_name(displayNameInFolder(model))
    , m_form(readForm(model)) {}

Tokenizer::~Tokenizer() = default;
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;

void Tokenizer::check(int id) const {
    if (id < 0 || id >= m_form->idEnd())
        throw Error("text.badId",
                    m_name + " has " + std::to_string(size()) + " pieces, from 0; there is no piece " +
                        std::to_string(id) + ".",
                    {{"file", m_name}, {"id", id}, {"size", size()}});
}

int Tokenizer::size() const {
    return m_form->size();
}

std::vector<int> Tokenizer::encode(const std::string& text) const {
    return m_form->encode(text);
}

std::string Tokenizer::decode(std::span<const int> ids) const {
    for (const int id : ids)
        check(id);
    return m_form->decode(ids);
}

int Tokenizer::unknownId() const {
    return m_form->unknownId();
}

bool Tokenizer::hasSpeechToTextIds() const {
    return size() >= 4 && piece(1) == "<pad>" && piece(2) == "</s>";
}

std::string Tokenizer::piece(int id) const {
    check(id);
    return m_form->piece(id);
}

} // namespace headroom
