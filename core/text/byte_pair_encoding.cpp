// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/byte_pair_encoding.h"

#include "core/errors/display_name.h"
#include "core/errors/error.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

namespace headroom {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::int64_t kLargestVocabulary = 10'000'000;

/// GPT-2's alphabet of bytes: printable bytes stand for themselves, the others for the code points from 256.
struct ByteAlphabet {
    std::array<std::string, 256> letters;
    std::unordered_map<char32_t, unsigned char> bytes;

    ByteAlphabet() {
        char32_t next = 256;
        for (unsigned byte = 0; byte < 256; ++byte) {
            const bool printable =
                (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
            const char32_t point = printable ? char32_t(byte) : next++;
            if (point < 0x80)
                letters[byte] = {static_cast<char>(point)};
            else
                letters[byte] = {static_cast<char>(0xC0 | (point >> 6)),
                                 static_cast<char>(0x80 | (point & 0x3F))};
            bytes[point] = static_cast<unsigned char>(byte);
        }
    }
};

const ByteAlphabet& byteAlphabet() {
    static const ByteAlphabet alphabet;
    return alphabet;
}

std::size_t letterLength(char lead) {
    const auto byte = static_cast<unsigned char>(lead);
    return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

/// The bytes that a piece writes; a piece with a character outside the alphabet writes itself.
std::string bytesOfPiece(const std::string& piece) {
    std::string result;
    for (std::size_t at = 0; at < piece.size();) {
        const std::size_t length = letterLength(piece[at]);
        char32_t point = static_cast<unsigned char>(piece[at]);
        if (length == 2 && at + 1 < piece.size())
            point = (char32_t(point & 0x1F) << 6) | (static_cast<unsigned char>(piece[at + 1]) & 0x3F);
        const auto found = length <= 2 ? byteAlphabet().bytes.find(point) : byteAlphabet().bytes.end();
        if (found == byteAlphabet().bytes.end())
            return piece;
        result += static_cast<char>(found->second);
        at += length;
    }
    return result;
}

/// UTF-8 with each maximal ill-formed part replaced by one U+FFFD, as Python and Rust do.
std::string replacedWhereInvalid(const std::string& raw) {
    std::string text;
    for (std::size_t i = 0; i < raw.size();) {
        const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(raw[at]); };
        const unsigned char lead = byte(i);
        const std::size_t length = lead < 0x80                   ? 1
                                   : lead >= 0xC2 && lead < 0xE0 ? 2
                                   : lead >= 0xE0 && lead < 0xF0 ? 3
                                   : lead >= 0xF0 && lead < 0xF5 ? 4
                                                                 : 0;
        std::size_t read = length > 0 ? 1 : 0;
        for (; read > 0 && read < length && i + read < raw.size(); ++read) {
            const unsigned char next = byte(i + read);
            const unsigned char least = read > 1 ? 0x80 : lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
            const unsigned char most = read > 1 ? 0xBF : lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
            if (next < least || next > most)
                break;
        }
        if (length > 0 && read == length)
            text.append(raw, i, length);
        else
            text += "\xEF\xBF\xBD";
        i += std::max<std::size_t>(read, 1);
    }
    return text;
}

json parsedFile(const fs::path& file, const std::string& name) {
    std::ifstream in(file, std::ios::binary);
    if (!in || !fs::is_regular_file(file))
        throw Error("text.missing", name + " could not be read.", {{"file", name}});
    json document = json::parse(in, nullptr, false);
    if (document.is_discarded() || !document.is_object())
        throw Error("text.notBytePairs", name + " is not a JSON object.", {{"file", name}});
    return document;
}

} // namespace

BytePairEncoding::BytePairEncoding(const fs::path& file) : m_name(displayNameInFolder(file)) {
    const json document = parsedFile(file, m_name);
    if (document.contains("model")) {
        readTokenizerJson(document);
    } else {
        readVocabulary(document);
        readMergesFile(file.parent_path() / "merges.txt");
        if (const fs::path added = file.parent_path() / "added_tokens.json"; fs::exists(added)) {
            const json tokens = parsedFile(added, displayNameInFolder(added));
            for (const auto& [content, id] : tokens.items())
                addSpecial(id, content);
        }
    }
    // <|endoftext|> and its like are in vocab.json too.
    for (std::size_t id = 0; id < m_pieces.size(); ++id)
        if (m_pieces[id].starts_with("<|") && m_pieces[id].ends_with("|>") && m_pieces[id].size() > 4)
            m_special[id] = true;
    checkComplete();
    m_listed = static_cast<int>(m_pieces.size());
    continueTimes();
    for (std::size_t id = 0; id < m_pieces.size(); ++id)
        if (!m_special[id])
            m_ids.emplace(m_pieces[id], static_cast<int>(id));
    for (const std::string& letter : byteAlphabet().letters)
        if (!m_ids.contains(letter))
            refuse("has no piece “" + letter + "”, which a vocabulary of bytes needs");
}

void BytePairEncoding::readTokenizerJson(const json& document) {
    const json& model = document["model"];
    if (!model.is_object() || model.value("type", std::string("BPE")) != "BPE" || !model.contains("vocab") ||
        !model["vocab"].is_object() || !model.contains("merges") || !model["merges"].is_array())
        refuse("does not describe a byte pair encoding");
    readVocabulary(model["vocab"]);
    for (const json& merge : model["merges"]) { // "a b", or ["a", "b"] in newer files
        if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string()) {
            addMerge(merge[0], merge[1]);
            continue;
        }
        const std::string text = merge.is_string() ? merge.get<std::string>() : std::string();
        const std::size_t space = text.find(' ');
        if (space == std::string::npos)
            refuse("contains the merge " + merge.dump().substr(0, 60) + ", which is not a pair");
        addMerge(text.substr(0, space), text.substr(space + 1));
    }
    const json tokens = document.value("added_tokens", json::array());
    for (const json& added : tokens)
        if (added.is_object() && added.contains("id") && added.contains("content") &&
            added["content"].is_string())
            addSpecial(added["id"], added["content"]);
}

void BytePairEncoding::readVocabulary(const json& vocabulary) {
    for (const auto& [piece, id] : vocabulary.items()) {
        if (!id.is_number_integer())
            refuse("gives the piece “" + piece + "” no number");
        setPiece(id.get<std::int64_t>(), piece, false);
    }
}

void BytePairEncoding::readMergesFile(const fs::path& file) {
    std::ifstream in(file);
    if (!in)
        throw Error("text.missing",
                    m_name + " needs " + displayNameInFolder(file) + ", which could not be read.",
                    {{"file", displayNameInFolder(file)}});
    for (std::string line; std::getline(in, line);) {
        if (!line.empty() && line.back() == '\r')
            line.pop_back();
        const std::size_t space = line.find(' ');
        if (line.starts_with("#version") || line.empty())
            continue;
        if (space == std::string::npos || line.find(' ', space + 1) != std::string::npos)
            throw Error("text.notBytePairs",
                        displayNameInFolder(file) + " contains the line “" + validText(line.substr(0, 60)) +
                            "”, which is not a pair.",
                        {{"file", displayNameInFolder(file)}});
        addMerge(line.substr(0, space), line.substr(space + 1));
    }
}

void BytePairEncoding::addMerge(const std::string& left, const std::string& right) {
    m_ranks.emplace(left + " " + right, static_cast<int>(m_ranks.size()));
}

void BytePairEncoding::addSpecial(const json& id, const std::string& content) {
    if (!id.is_number_integer())
        refuse("gives the special token “" + content + "” no number");
    setPiece(id.get<std::int64_t>(), content, true);
}

void BytePairEncoding::setPiece(std::int64_t id, const std::string& text, bool special) {
    if (id < 0 || id >= kLargestVocabulary)
        refuse("gives “" + text + "” the number " + std::to_string(id));
    const auto place = static_cast<std::size_t>(id);
    if (place >= m_pieces.size()) {
        m_pieces.resize(place + 1);
        m_present.resize(place + 1);
        m_special.resize(place + 1);
    }
    if (m_present[place] && m_pieces[place] != text)
        refuse("gives the number " + std::to_string(id) + " to “" + m_pieces[place] + "” and to “" + text +
               "”");
    m_pieces[place] = text;
    m_present[place] = true;
    m_special[place] = m_special[place] || special;
}

void BytePairEncoding::checkComplete() const {
    for (std::size_t id = 0; id < m_present.size(); ++id)
        if (!m_present[id])
            refuse("has no piece with the number " + std::to_string(id));
}

void BytePairEncoding::continueTimes() {
    constexpr int kLastTime = 1500, kHundredthsPerStep = 2;
    if (m_pieces.empty() || m_pieces.back() != "<|notimestamps|>")
        return;
    for (int step = 0; step <= kLastTime; ++step) {
        char text[24];
        const int hundredths = step * kHundredthsPerStep;
        std::snprintf(text, sizeof text, "<|%d.%02d|>", hundredths / 100, hundredths % 100);
        setPiece(static_cast<std::int64_t>(m_pieces.size()), text, true);
    }
}

void BytePairEncoding::refuse(const std::string& what) const {
    throw Error("text.notBytePairs", m_name + " " + validText(what) + ".", {{"file", m_name}});
}

std::vector<std::string> BytePairEncoding::merged(const std::string& word) const {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at < word.size(); at += letterLength(word[at]))
        parts.push_back(word.substr(at, letterLength(word[at])));
    while (parts.size() > 1) {
        int best = std::numeric_limits<int>::max();
        std::string left, right;
        for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
            const auto rank = m_ranks.find(parts[i] + " " + parts[i + 1]);
            if (rank != m_ranks.end() && rank->second < best) {
                best = rank->second;
                left = parts[i];
                right = parts[i + 1];
            }
        }
        if (best == std::numeric_limits<int>::max())
            break;
        std::vector<std::string> joined;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (i + 1 < parts.size() && parts[i] == left && parts[i + 1] == right) {
                joined.push_back(left + right);
                ++i;
            } else {
                joined.push_back(parts[i]);
            }
        }
        parts = std::move(joined);
    }
    return parts;
}

std::vector<int> BytePairEncoding::encode(const std::string& text) const {
    std::vector<int> ids;
    for (const std::string_view word : gpt2Words(text)) {
        std::string letters;
        for (const char byte : word)
            letters += byteAlphabet().letters[static_cast<unsigned char>(byte)];
        for (const std::string& part : merged(letters)) {
            const auto found = m_ids.find(part);
            if (found != m_ids.end()) {
                ids.push_back(found->second);
                continue;
            }
            // A merge whose result is no piece: the letters by themselves.
            for (std::size_t at = 0; at < part.size(); at += letterLength(part[at]))
                ids.push_back(m_ids.at(part.substr(at, letterLength(part[at]))));
        }
    }
    return ids;
}

std::string BytePairEncoding::decode(std::span<const int> ids) const {
    std::string bytes;
    for (const int id : ids)
        if (!isSpecial(id))
            bytes += bytesOfPiece(piece(id));
    return replacedWhereInvalid(bytes);
}

} // namespace headroom
