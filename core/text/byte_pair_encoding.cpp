// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/byte_pair_encoding.h"

#include "core/errors/display_name.h"
#include "core/errors/error.h"
#include "core/errors/unread_file.h"
#include "core/errors/utf8.h"
#include "core/text/largest_vocabulary.h"

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

namespace headroom {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

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

/// The bytes that a piece writes; a piece with a character outside the alphabet writes itself.
std::string bytesOfPiece(const std::string& piece) {
    std::string result;
    for (std::size_t at = 0; at < piece.size();) {
        const std::size_t length = utf8LetterBytes(piece, at);
        char32_t point = static_cast<unsigned char>(piece[at]);
        if (length == 2)
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
        const Utf8Part part = utf8Part(raw, i);
        text += part.whole ? std::string_view(raw).substr(i, part.bytes) : "\xEF\xBF\xBD";
        i += part.bytes;
    }
    return text;
}

json parsedFile(const fs::path& file, const std::string& name) {
    std::ifstream in(file, std::ios::binary);
    if (!in || !fs::is_regular_file(file))
        throw Error("text.missing", unreadText(file), {{"file", name}});
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
        m_merges.readFile(file.parent_path() / "merges.txt", m_name, BytePairs::Lines::Pairs);
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
    for (const json& merge : model["merges"])
        if (!m_merges.add(merge))
            refuse("contains the merge " + merge.dump().substr(0, 60) + ", which is not a pair");
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

std::vector<int> BytePairEncoding::encode(const std::string& text) const {
    std::vector<int> ids;
    for (const std::string_view word : gpt2Words(text)) {
        std::string letters;
        for (const char byte : word)
            letters += byteAlphabet().letters[static_cast<unsigned char>(byte)];
        for (const std::string& part : m_merges.merged(utf8Letters(letters))) {
            const auto found = m_ids.find(part);
            if (found != m_ids.end()) {
                ids.push_back(found->second);
                continue;
            }
            // A merge whose result is no piece: the letters by themselves.
            for (const std::string& letter : utf8Letters(part))
                ids.push_back(m_ids.at(letter));
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
