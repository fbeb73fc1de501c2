// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer.h"

#include "core/errors/display_name.h"
#include "core/errors/error.h"
#include "core/errors/first_bytes.h"
#include "core/model_folders/language_adapter.h"
#include "core/text/byte_pair_encoding.h"
#include "core/text/character_vocabulary.h"
#include "core/text/end_of_word_pairs.h"
#include "core/text/fairseq_dictionary.h"
#include "core/text/metaspace_vocabulary.h"
#include "core/text/sentence_piece_form.h"
#include "core/text/token_list.h"

#include <algorithm>

namespace headroom {

namespace {

constexpr const char* kSourcePairs = "vocab-src.json"; // FSMT; of both languages if it stands alone
constexpr const char* kTargetPairs = "vocab-tgt.json";
constexpr const char* kPieces = "sentencepiece.model";
constexpr const char* kSourcePieces = "source.sentencepiece.model";
const std::string kSourceDictionary = "source.dict.", kTargetDictionary = "target.dict."; // and the language, .txt

/// The dictionary of one side in a model folder of Headroom's; empty if there is none.
std::filesystem::path dictionaryIn(const std::filesystem::path& folder, const std::string& beginning) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
        if (entry.path().extension() == ".txt" && entry.path().filename().string().starts_with(beginning))
            return entry.path();
    return {};
}

/// “dict.de.txt” of a dictionary under any name.
std::string dictionaryName(const std::filesystem::path& file, const std::string& side) {
    const std::string name = file.filename().string();
    const bool isOurs = name.starts_with(kSourceDictionary) || name.starts_with(kTargetDictionary);
    return side + (isOurs ? name.substr(name.find('.') + 1) : name).substr(std::string("dict.").size());
}

/// A vocabulary of pairs comes with its merges; one of characters has none.
bool isBytePairs(const std::filesystem::path& file) {
    return file.filename() == "tokenizer.json" || std::filesystem::exists(file.parent_path() / "merges.txt");
}

/// The files that a tokenizer is read from, some of which need not exist.
std::vector<std::filesystem::path> filesRead(const std::filesystem::path& file) {
    std::vector<std::filesystem::path> files{file};
    const bool ofLanguage = !languageOfAdapter(file).empty();
    if (ofLanguage)
        files.push_back(file.parent_path() / "vocab.json");
    if (ofLanguage || file.extension() == ".json")
        for (const char* beside : {"merges.txt", "added_tokens.json", "tokenizer_config.json"})
            files.push_back(file.parent_path() / beside);
    return files;
}

std::unique_ptr<TokenizerForm> readForm(const std::filesystem::path& file) {
    for (const auto& one : filesRead(file))
        if (const char* instead = notDownloadedAt(one))
            throw Error("text.notDownloaded", displayNameInFolder(one) + " " + instead + ".", {{"file", one.string()}});
    if (file.extension() == ".yaml" || file.extension() == ".nemo")
        return std::make_unique<TokenList>(file);
    if (file.extension() == ".txt")
        return std::make_unique<FairseqDictionary>(file);
    if (!languageOfAdapter(file).empty())
        return std::make_unique<CharacterVocabulary>(file);
    if (file.filename() == kSourcePairs || file.filename() == kTargetPairs)
        return std::make_unique<EndOfWordPairs>(file);
    if (file.extension() == ".json" && MetaspaceVocabulary::isIn(file))
        return std::make_unique<MetaspaceVocabulary>(file);
    if (file.extension() == ".json")
        return isBytePairs(file) ? std::unique_ptr<TokenizerForm>(std::make_unique<BytePairEncoding>(file))
                                 : std::make_unique<CharacterVocabulary>(file);
    return readSentencePiece(file);
}

} // namespace

std::filesystem::path sentencePieceIn(const std::filesystem::path& folder) {
    std::error_code ignored;
    for (const char* name : {kNumberedPieces, kPieces})
        if (std::filesystem::is_regular_file(folder / name, ignored))
            return folder / name;
    return {};
}

std::filesystem::path tokenizerIn(const std::filesystem::path& folder) {
    if (!languageOfAdapter(folder).empty())
        return folder;
    if (std::filesystem::path pieces = sentencePieceIn(folder); !pieces.empty())
        return pieces;
    for (const char* name : {"tokenizer.json", "vocab.json", kTargetPairs, kSourcePairs, "token_list.yaml"})
        if (std::filesystem::exists(folder / name))
            return folder / name;
    return dictionaryIn(folder, kTargetDictionary);
}

std::filesystem::path sourceTokenizerIn(const std::filesystem::path& folder) {
    if (std::filesystem::exists(folder / kSourcePieces))
        return folder / kSourcePieces;
    const bool both = std::filesystem::exists(folder / kSourcePairs) && std::filesystem::exists(folder / kTargetPairs);
    return both ? folder / kSourcePairs : dictionaryIn(folder, kSourceDictionary);
}

std::vector<std::pair<std::string, std::filesystem::path>>
filesOfTokenizer(const std::filesystem::path& tokenizer, const std::filesystem::path& source) {
    if (!source.empty()) {
        auto files = filesOfTokenizer(tokenizer);
        for (auto& file : filesOfTokenizer(source)) {
            if (file.first == kPieces)
                file.first = kSourcePieces;
            if (file.first.starts_with(kTargetDictionary))
                file.first = dictionaryName(source, kSourceDictionary);
            const auto isIt = [&](const auto& other) { return other.first == file.first; };
            if (std::none_of(files.begin(), files.end(), isIt))
                files.push_back(std::move(file));
        }
        return files;
    }
    if (tokenizer.empty() || tokenizer.extension() == ".nemo")
        return {};
    if (tokenizer.extension() == ".yaml") {
        const std::filesystem::path pieces = TokenList::pieceModel(tokenizer);
        std::vector<std::pair<std::string, std::filesystem::path>> files{{"token_list.yaml", tokenizer}};
        if (!pieces.empty())
            files.emplace_back("bpe.model", pieces);
        return files;
    }
    if (tokenizer.extension() == ".txt") {
        std::vector<std::pair<std::string, std::filesystem::path>> files{{dictionaryName(tokenizer, kTargetDictionary), tokenizer}};
        if (const auto codes = FairseqDictionary::codesBeside(tokenizer); !codes.empty())
            files.emplace_back(codes.filename().string(), codes);
        return files;
    }
    const bool ofLanguage = !languageOfAdapter(tokenizer).empty();
    if (tokenizer.extension() != ".json" && !ofLanguage)
        return {{kPieces, tokenizer}};
    std::vector<std::pair<std::string, std::filesystem::path>> files;
    if (!ofLanguage)
        files.emplace_back(tokenizer.filename().string(), tokenizer);
    for (const char* name :
         {"merges.txt", "tokenizer_config.json", "added_tokens.json", "special_tokens_map.json"})
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
