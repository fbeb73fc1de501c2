// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/character_vocabulary.h"

#include "core/errors/display_name.h"
#include "core/errors/error.h"
#include "core/errors/unread_file.h"
#include "core/errors/utf8.h"
#include "core/model_folders/language_adapter.h"
#include "core/text/largest_vocabulary.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace headroom {

namespace {

using nlohmann::json;

constexpr std::uintmax_t kLargestVocabularyFile = 16 << 20;

/// The object in a JSON file; a discarded value if it is none.
json objectIn(const std::filesystem::path& file) {
    std::error_code problem;
    const auto size = std::filesystem::file_size(file, problem);
    if (problem || size > kLargestVocabularyFile)
        return json(json::value_t::discarded);
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    json found = json::parse(text, nullptr, false);
    return found.is_object() ? found : json(json::value_t::discarded);
}

/// A special piece in a configuration: a text, or an object with its text as “content”.
void takePiece(const json& config, const char* key, std::string& piece) {
    const auto found = config.find(key);
    if (found == config.end())
        return;
    if (found->is_string())
        piece = found->get<std::string>();
    else if (found->is_object() && found->contains("content") && (*found)["content"].is_string())
        piece = (*found)["content"].get<std::string>();
}

char otherCase(char letter) {
    if (letter >= 'a' && letter <= 'z')
        return static_cast<char>(letter - 'a' + 'A');
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

} // namespace

CharacterVocabulary::CharacterVocabulary(const std::filesystem::path& given) {
    const std::string language = languageOfAdapter(given);
    const std::filesystem::path file = language.empty() ? given : given.parent_path() / "vocab.json";
    m_name = displayNameInFolder(file);
    if (!std::filesystem::is_regular_file(file))
        throw Error("text.missing", unreadText(file), {{"file", m_name}});
    readConfig(file.parent_path() / "tokenizer_config.json");
    m_asked = !language.empty();
    if (m_asked)
        m_language = language;
    const json vocabulary = objectIn(file);
    if (vocabulary.is_discarded())
        refuse("is not a JSON object");
    readVocabulary(vocabulary);
    const json added = objectIn(file.parent_path() / "added_tokens.json");
    if (added.is_object())
        for (const auto& [piece, id] : added.items())
            add(piece, id);
    if (m_pieces.empty())
        refuse("has no pieces");
    m_unknown = idOf(m_unknownPiece);
}

void CharacterVocabulary::readConfig(const std::filesystem::path& file) {
    const json config = objectIn(file);
    if (!config.is_object())
        return;
    takePiece(config, "word_delimiter_token", m_delimiter);
    takePiece(config, "replace_word_delimiter_char", m_space);
    takePiece(config, "pad_token", m_padding);
    takePiece(config, "unk_token", m_unknownPiece);
    takePiece(config, "target_lang", m_language);
    std::string tokenizer;
    takePiece(config, "tokenizer_class", tokenizer);
    m_phonemes = tokenizer.find("Phoneme") != std::string::npos;
    m_lowerCase = config.value("do_lower_case", json()) == true;
    const auto added = config.find("added_tokens_decoder");
    if (added == config.end() || !added->is_object())
        return;
    for (const auto& [id, token] : added->items())
        if (token.is_object() && token.contains("content") && token["content"].is_string() &&
            id.size() <= 8 && std::all_of(id.begin(), id.end(), [](char c) { return c >= '0' && c <= '9'; }))
            add(token["content"].get<std::string>(), std::stoi(id));
}

void CharacterVocabulary::readVocabulary(const json& vocabulary) {
    const bool nested = !vocabulary.empty() && vocabulary.begin()->is_object();
    if (!nested) {
        for (const auto& [piece, id] : vocabulary.items())
            add(piece, id);
        return;
    }
    std::string languages;
    for (const auto& [language, ignored] : vocabulary.items())
        languages += (languages.empty() ? "" : ", ") + language;
    if (m_asked && !vocabulary.contains(m_language))
        refuse("has no vocabulary of the language “" + m_language + "”; it has " + languages.substr(0, 400));
    if (m_language.empty() || !vocabulary.contains(m_language))
        refuse("has vocabularies of several languages (" + languages.substr(0, 80) +
               "), and “target_lang” in tokenizer_config.json names none of them");
    for (const auto& [piece, id] : vocabulary[m_language].items())
        add(piece, id);
}

void CharacterVocabulary::add(const std::string& piece, const json& id) {
    if (!id.is_number_integer() || id < 0 || id >= kLargestVocabulary)
        refuse("gives “" + piece + "” the id " + id.dump().substr(0, 20) +
               ", which is not a whole number from 0");
    const auto place = id.get<std::size_t>();
    if (place >= m_pieces.size())
        m_pieces.resize(place + 1);
    if (!m_pieces[place].empty() && m_pieces[place] != piece)
        refuse("gives the id " + std::to_string(place) + " to “" + m_pieces[place] + "” and to “" + piece + "”");
    m_pieces[place] = piece;
    m_ids[piece] = static_cast<int>(place);
}

std::string CharacterVocabulary::flat() const {
    json vocabulary = json::object();
    for (const auto& [piece, id] : m_ids)
        vocabulary[piece] = id;
    return vocabulary.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

int CharacterVocabulary::idOf(const std::string& piece) const {
    const auto found = m_ids.find(piece);
    return found == m_ids.end() ? -1 : found->second;
}

void CharacterVocabulary::refuse(const std::string& what) const {
    throw Error("text.notCharacters", m_name + " " + what + ".", {{"file", m_name}});
}

std::vector<int> CharacterVocabulary::encode(const std::string& text) const {
    std::vector<int> ids;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t length = utf8LetterBytes(text, at);
        std::string piece = text.substr(at, length);
        if (m_phonemes) { // pieces between spaces
            length = std::min(text.find(' ', at), text.size()) - at;
            piece = text.substr(at, length);
            length += at + length < text.size() ? 1 : 0;
        } else if (piece == " ")
            piece = m_delimiter;
        at += std::max<std::size_t>(length, 1);
        if (piece.empty())
            continue;
        int id = idOf(piece);
        if (id < 0 && piece.size() == 1)
            id = idOf(std::string(1, otherCase(piece.front())));
        if (id < 0)
            id = m_unknown;
        if (id < 0)
            throw Error("text.unknownCharacter",
                        m_name + " has no piece for “" + piece + "”, and none for unknown text.",
                        {{"file", m_name}});
        ids.push_back(id);
    }
    return ids;
}

std::string CharacterVocabulary::decode(std::span<const int> ids) const {
    std::string text;
    for (const int id : ids) {
        const std::string& piece = m_pieces.at(static_cast<std::size_t>(id));
        if (piece == m_padding)
            continue;
        if (m_phonemes && !text.empty())
            text += ' ';
        text += piece == m_delimiter ? m_space : piece;
    }
    if (m_lowerCase)
        std::transform(text.begin(), text.end(), text.begin(),
                       [](char c) { return c >= 'A' && c <= 'Z' ? otherCase(c) : c; });
    const auto first = text.find_first_not_of(' ');
    return first == std::string::npos ? std::string()
                                      : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

} // namespace headroom
