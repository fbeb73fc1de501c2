// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/fairseq_dictionary.h"

#include "core/errors/display_name.h"
#include "core/errors/error.h"
#include "core/errors/unread_file.h"
#include "core/text/moses_words.h"
#include "core/text/unicode_text.h"

#include <algorithm>
#include <array>
#include <fstream>

namespace headroom {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnd = "</w>", kContinues = "@@", kDash = "@-@", kSpace = "\xE2\x96\x81"; // ▁
constexpr std::size_t kFirstLine = 4; // before it: <s>, <pad>, </s>, <unk>

} // namespace

fs::path FairseqDictionary::codesBeside(const fs::path& dictionary) {
    std::error_code ignored;
    for (const char* name : {"code", "codes", "bpecodes"})
        if (const fs::path file = dictionary.parent_path() / name; fs::is_regular_file(file, ignored))
            return file;
    return {};
}

bool FairseqDictionary::endsStandAlone(const fs::path& codes) {
    std::ifstream in(codes);
    std::string line;
    std::getline(in, line);
    return !line.starts_with("#version: 0.2") && std::count(line.begin(), line.end(), ' ') == 1;
}

bool FairseqDictionary::isOfSentencePiece(const fs::path& dictionary) {
    std::ifstream in(dictionary);
    for (std::string line; std::getline(in, line);)
        if (line.starts_with(kSpace))
            return true;
    return false;
}

FairseqDictionary::FairseqDictionary(const fs::path& file)
    : m_name(displayNameInFolder(file))
    , m_language(fs::path(file.stem()).extension().string())
    , m_pieces{"<s>", "<pad>", "</s>", "<unk>"} {
    m_language = m_language.empty() ? "en" : m_language.substr(1);
    std::ifstream in(file, std::ios::binary);
    if (!in || !fs::is_regular_file(file))
        throw Error("text.missing", unreadText(file), {{"file", m_name}});
    for (std::string line; std::getline(in, line);) {
        if (!line.empty() && line.back() == '\r')
            line.pop_back();
        constexpr std::string_view kOverwrites = " #fairseq:overwrite";
        if (line.ends_with(kOverwrites))
            line.resize(line.size() - kOverwrites.size());
        const auto space = line.rfind(' ');
        const bool isCount = space != std::string::npos && space > 0 && space + 1 < line.size() &&
                             std::all_of(line.begin() + static_cast<std::ptrdiff_t>(space) + 1, line.end(),
                                         [](char digit) { return digit >= '0' && digit <= '9'; });
        if (!isCount)
            refuse("has “" + line.substr(0, 60) + "” in line " + std::to_string(m_pieces.size() - kFirstLine + 1) +
                   ", which is no piece with its count");
        line.resize(space);
        m_lowerCase = m_lowerCase && lowerCase(line) == line;
        m_ids.emplace(line, static_cast<int>(m_pieces.size()));
        m_pieces.push_back(std::move(line));
    }
    if (const fs::path codes = codesBeside(file); !codes.empty()) {
        m_hasMerges = true;
        m_endStandsAlone = endsStandAlone(codes);
        m_merges.readFile(codes, m_name, BytePairs::Lines::CountedPairs);
    }
}

void FairseqDictionary::refuse(const std::string& what) const {
    throw Error("text.notBytePairs", m_name + " " + validText(what) + ".", {{"file", m_name}});
}

/// Dashes between letters are words of their own only where the dictionary has them.
std::vector<std::string> FairseqDictionary::wordsOf(const std::string& text) const {
    std::vector<std::string> words;
    bool joins = false;
    for (std::string& word : mosesWords(m_lowerCase ? lowerCase(text) : text, m_language)) {
        if (word == kDash && !words.empty() && !m_ids.contains(std::string(kDash))) {
            words.back() += '-';
            joins = true;
        } else if (joins) {
            words.back() += word;
            joins = false;
        } else
            words.push_back(std::move(word));
    }
    return words;
}

std::vector<int> FairseqDictionary::encode(const std::string& text) const {
    std::vector<int> ids;
    const auto add = [&](const std::string& piece) {
        const auto found = m_ids.find(piece);
        ids.push_back(found == m_ids.end() ? unknownId() : found->second);
    };
    for (const std::string& word : wordsOf(text)) {
        if (!m_hasMerges) {
            add(word);
            continue;
        }
        std::vector<std::string> letters = utf8Letters(word);
        if (m_endStandsAlone)
            letters.emplace_back(kEnd);
        else
            letters.back() += kEnd;
        auto parts = m_merges.merged(std::move(letters));
        if (parts.back() == kEnd)
            parts.pop_back();
        else if (parts.back().ends_with(kEnd))
            parts.back().resize(parts.back().size() - kEnd.size());
        for (std::size_t i = 0; i < parts.size(); ++i)
            add(i + 1 < parts.size() ? parts[i].append(kContinues) : parts[i]);
    }
    return ids;
}

std::string FairseqDictionary::decode(std::span<const int> ids) const {
    std::vector<std::string> words(1);
    for (const int id : ids) {
        if (id < 3) // <s>, <pad>, </s>
            continue;
        std::string part = piece(id);
        const bool continues = part.size() > kContinues.size() && part.ends_with(kContinues);
        if (continues)
            part.resize(part.size() - kContinues.size());
        words.back() += part;
        if (!continues)
            words.emplace_back();
    }
    if (words.back().empty())
        words.pop_back();
    return mosesText(words, m_language);
}

} // namespace headroom
