// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/metaspace_vocabulary.h"

#include "core/errors/display_name.h"
#include "core/errors/error.h"
#include "core/errors/unread_file.h"
#include "core/errors/utf8.h"
#include "core/text/largest_vocabulary.h"
#include "core/text/unicode_text.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

namespace headroom {

namespace {

using nlohmann::json;

const std::string kMetaspace = "\xE2\x96\x81"; // ▁

std::string textOf(const json& object, const char* key) {
    return object.is_object() && object.contains(key) && object[key].is_string()
               ? object[key].get<std::string>()
               : std::string();
}

bool isMetaspace(const json& part) {
    if (textOf(part, "type") == "Metaspace")
        return textOf(part, "replacement").empty() || textOf(part, "replacement") == kMetaspace;
    if (textOf(part, "type") == "Replace") // older files write the same as a sequence
        return part.contains("pattern") && textOf(part["pattern"], "String") == kMetaspace;
    if (textOf(part, "type") != "Sequence" || !part.contains("decoders") || !part["decoders"].is_array())
        return false;
    return std::any_of(part["decoders"].begin(), part["decoders"].end(), isMetaspace);
}

/// ▁ before every word, runs of spaces as one.
std::string withMetaspaces(const std::string& text) {
    std::string result;
    bool space = true;
    for (const char c : text) {
        if (c == ' ') {
            space = true;
            continue;
        }
        if (space)
            result += kMetaspace;
        space = false;
        result += c;
    }
    return result;
}

bool describesMetaspace(const json& document) {
    return document.is_object() && document.contains("model") && document.contains("decoder") &&
           isMetaspace(document["decoder"]);
}

} // namespace

bool MetaspaceVocabulary::isIn(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return in && std::filesystem::is_regular_file(file) &&
           describesMetaspace(json::parse(in, nullptr, false));
}

MetaspaceVocabulary::MetaspaceVocabulary(const std::filesystem::path& file)
    : m_name(displayNameInFolder(file)) {
    std::ifstream in(file, std::ios::binary);
    if (!in || !std::filesystem::is_regular_file(file))
        throw Error("text.missing", unreadText(file), {{"file", m_name}});
    const json document = json::parse(in, nullptr, false);
    if (document.is_discarded() || !describesMetaspace(document))
        refuse("is not a tokenizer whose pieces write spaces as ▁");
    const json& model = document["model"];
    const std::string type = textOf(model, "type");
    m_unigram = type == "Unigram" || (type.empty() && model.contains("vocab") && model["vocab"].is_array());
    if (!m_unigram && type != "BPE" && !type.empty())
        refuse("has a model of type “" + type + "”; Unigram and BPE are supported");
    if (!model.is_object() || !model.contains("vocab"))
        refuse("has no vocabulary");
    readPieces(model["vocab"]);
    if (!m_unigram)
        readMerges(model.value("merges", json::array()));
    m_special.assign(m_pieces.size(), false);
    for (const json& added : document.value("added_tokens", json::array())) {
        if (!added.is_object() || !added.contains("id") || !added["id"].is_number_integer())
            continue;
        const auto id = added["id"].get<std::int64_t>();
        add(textOf(added, "content"), id);
        m_special.resize(m_pieces.size());
        m_special[static_cast<std::size_t>(id)] = added.value("special", json()) == true;
    }
    m_scores.resize(m_pieces.size(), 0);
    if (model.contains("unk_id") && model["unk_id"].is_number_integer())
        m_unknown = model["unk_id"].get<int>();
    for (std::size_t id = 0; id < m_pieces.size(); ++id) {
        if (m_unknown < 0 && !m_pieces[id].empty() && m_pieces[id] == textOf(model, "unk_token"))
            m_unknown = static_cast<int>(id);
        if (m_special[id])
            continue;
        m_ids.emplace(m_pieces[id], static_cast<int>(id));
        m_lowerCase = m_lowerCase && lowerCase(m_pieces[id]) == m_pieces[id];
        m_longest = std::max(m_longest, m_pieces[id].size());
    }
    if (m_pieces.empty() || m_unknown >= size())
        refuse("has no pieces, or its unknown piece is not among them");
}

void MetaspaceVocabulary::readPieces(const json& vocabulary) {
    if (m_unigram != vocabulary.is_array() || (!m_unigram && !vocabulary.is_object()))
        refuse("has a vocabulary that does not fit its model");
    std::int64_t next = 0;
    for (const auto& [piece, entry] : vocabulary.items()) {
        const bool scored = m_unigram && entry.is_array() && entry.size() == 2 && entry[0].is_string() &&
                            entry[1].is_number();
        if (!scored && (m_unigram || !entry.is_number_integer()))
            refuse("contains the entry " + entry.dump().substr(0, 60) + ", which is not a piece");
        add(scored ? entry[0].get<std::string>() : piece, scored ? next++ : entry.get<std::int64_t>());
        if (scored)
            m_scores.push_back(entry[1].get<double>());
    }
}

void MetaspaceVocabulary::readMerges(const json& merges) {
    for (const json& merge : merges)
        if (!m_merges.add(merge))
            refuse("contains the merge " + merge.dump().substr(0, 60) + ", which is not a pair");
}

void MetaspaceVocabulary::add(const std::string& piece, std::int64_t id) {
    if (id < 0 || id >= kLargestVocabulary)
        refuse("gives “" + piece + "” the id " + std::to_string(id) + ", which is out of range");
    const auto place = static_cast<std::size_t>(id);
    if (place >= m_pieces.size())
        m_pieces.resize(place + 1);
    if (!m_pieces[place].empty() && m_pieces[place] != piece)
        refuse("gives the id " + std::to_string(id) + " to “" + m_pieces[place] + "” and to “" + piece + "”");
    m_pieces[place] = piece;
}

void MetaspaceVocabulary::refuse(const std::string& what) const {
    throw Error("text.notMetaspace", m_name + " " + what + ".", {{"file", m_name}});
}

/// Viterbi over all ways to cut the text into pieces; a letter that is no piece costs more than any.
std::vector<int> MetaspaceVocabulary::mostProbable(const std::string& text) const {
    struct Best {
        double score = -std::numeric_limits<double>::infinity();
        std::size_t start = 0;
        int id = -1;
    };
    const double lowest = *std::min_element(m_scores.begin(), m_scores.end()) - 10;
    std::vector<Best> best(text.size() + 1);
    best[0].score = 0;
    for (std::size_t start = 0; start < text.size(); start += utf8LetterBytes(text, start)) {
        const auto offer = [&](std::size_t length, double score, int id) {
            Best& end = best[start + length];
            if (best[start].score + score > end.score)
                end = {best[start].score + score, start, id};
        };
        offer(utf8LetterBytes(text, start), lowest, m_unknown);
        for (std::size_t length = 1; length <= std::min(m_longest, text.size() - start); ++length)
            if (const auto found = m_ids.find(text.substr(start, length)); found != m_ids.end())
                offer(length, m_scores[static_cast<std::size_t>(found->second)], found->second);
    }
    std::vector<int> ids;
    for (std::size_t end = text.size(); end > 0; end = best[end].start)
        if (best[end].id >= 0 && (best[end].id != m_unknown || ids.empty() || ids.back() != m_unknown))
            ids.push_back(best[end].id); // neighbouring unknown letters are one
    std::reverse(ids.begin(), ids.end());
    return ids;
}

std::vector<int> MetaspaceVocabulary::merged(const std::string& word) const {
    std::vector<int> ids;
    for (const std::string& part : m_merges.merged(utf8Letters(word))) {
        const auto found = m_ids.find(part);
        const int id = found == m_ids.end() ? m_unknown : found->second;
        if (id >= 0 && (id != m_unknown || ids.empty() || ids.back() != m_unknown))
            ids.push_back(id);
    }
    return ids;
}

std::vector<int> MetaspaceVocabulary::encode(const std::string& text) const {
    const std::string spaced = withMetaspaces(m_lowerCase ? lowerCase(text) : text);
    if (m_unigram)
        return mostProbable(spaced);
    std::vector<int> ids; // a pair never crosses the start of a word
    for (std::size_t at = 0; at < spaced.size();) {
        const std::size_t next = std::min(spaced.find(kMetaspace, at + 1), spaced.size());
        const std::vector<int> word = merged(spaced.substr(at, next - at));
        ids.insert(ids.end(), word.begin(), word.end());
        at = next;
    }
    return ids;
}

std::string MetaspaceVocabulary::decode(std::span<const int> ids) const {
    std::string text;
    for (const int id : ids)
        if (!m_special.at(static_cast<std::size_t>(id)) || id == m_unknown)
            text += m_pieces[static_cast<std::size_t>(id)];
    for (std::size_t at = text.find(kMetaspace); at != std::string::npos; at = text.find(kMetaspace, at))
        text.replace(at, kMetaspace.size(), " ");
    const auto first = text.find_first_not_of(' ');
    return first == std::string::npos ? std::string()
                                      : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

} // namespace headroom
