// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/end_of_word_pairs.h"

#include "core/errors/display_name.h"
#include "core/errors/error.h"
#include "core/errors/unread_file.h"
#include "core/text/moses_words.h"
#include "core/text/unicode_text.h"

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>

namespace headroom {

namespace {

constexpr std::string_view kEndOfWord = "</w>";
constexpr std::array<std::string_view, 4> kSpecial{"<s>", "<pad>", "</s>", "<unk>"};

} // namespace

EndOfWordPairs::EndOfWordPairs(const std::filesystem::path& file) : m_name(displayNameInFolder(file)) {
    std::ifstream in(file, std::ios::binary);
    if (!in || !std::filesystem::is_regular_file(file))
        throw Error("text.missing", unreadText(file), {{"file", m_name}});
    const nlohmann::json vocabulary = nlohmann::json::parse(in, nullptr, false);
    if (vocabulary.is_discarded() || !vocabulary.is_object())
        refuse("is not a JSON object");
    m_pieces.resize(vocabulary.size());
    for (const auto& [piece, id] : vocabulary.items()) {
        const auto place = id.is_number_unsigned() ? id.get<std::size_t>() : m_pieces.size();
        if (place >= m_pieces.size() || !m_pieces[place].empty())
            refuse("gives the piece “" + piece + "” the number " + id.dump().substr(0, 20) +
                   ", and each of its " + std::to_string(m_pieces.size()) +
                   " pieces needs one of its own, from 0");
        m_pieces[place] = piece;
        m_ids.emplace(piece, static_cast<int>(place));
    }
    for (std::size_t id = 0; id < kSpecial.size(); ++id)
        if (id >= m_pieces.size() || m_pieces[id] != kSpecial[id])
            refuse("does not begin with <s>, <pad>, </s>, <unk>");
    m_merges.readFile(file.parent_path() / "merges.txt", m_name, BytePairs::Lines::CountedPairs);
    readConfig(file.parent_path() / "tokenizer_config.json");
    if (file.filename() == "vocab-tgt.json")
        m_source = m_target;
}

void EndOfWordPairs::readConfig(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in)
        return;
    const nlohmann::json config = nlohmann::json::parse(in, nullptr, false);
    if (config.is_discarded() || !config.is_object())
        throw Error("text.notBytePairs", displayNameInFolder(file) + " is not a JSON object.",
                    {{"file", displayNameInFolder(file)}});
    m_lowerCase = config.value("do_lower_case", nlohmann::json()) == true;
    if (const auto languages = config.value("langs", nlohmann::json());
        languages.is_array() && languages.size() == 2 && languages[0].is_string() &&
        languages[1].is_string()) {
        m_source = languages[0];
        m_target = languages[1];
    }
}

void EndOfWordPairs::refuse(const std::string& what) const {
    throw Error("text.notBytePairs", m_name + " " + validText(what) + ".", {{"file", m_name}});
}

std::vector<int> EndOfWordPairs::encode(const std::string& text) const {
    std::vector<int> ids;
    for (const std::string& word : mosesWords(m_lowerCase ? lowerCase(text) : text, m_source)) {
        std::vector<std::string> letters = utf8Letters(word);
        letters.back() += kEndOfWord;
        for (const std::string& part : m_merges.merged(std::move(letters))) {
            const auto found = m_ids.find(part);
            ids.push_back(found == m_ids.end() ? unknownId() : found->second);
        }
    }
    return ids;
}

std::string EndOfWordPairs::decode(std::span<const int> ids) const {
    std::vector<std::string> words(1);
    for (const int id : ids) {
        if (id < 3) // <s>, <pad>, </s>
            continue;
        std::string part = piece(id);
        const bool ends = part.ends_with(kEndOfWord);
        if (ends)
            part.resize(part.size() - kEndOfWord.size());
        words.back() += part;
        if (ends)
            words.emplace_back();
    }
    if (words.back().empty())
        words.pop_back();
    return mosesText(words, m_target);
}

} // namespace headroom
