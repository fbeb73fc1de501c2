// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/byte_pairs.h"

#include "core/errors/display_name.h"
#include "core/errors/error.h"
#include "core/errors/utf8.h"

#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

namespace headroom {

void BytePairs::add(const std::string& left, const std::string& right) {
    m_ranks.emplace(left + " " + right, static_cast<int>(m_ranks.size()));
}

bool BytePairs::add(const nlohmann::json& merge) {
    if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string()) {
        add(merge[0].get<std::string>(), merge[1].get<std::string>());
        return true;
    }
    const std::string text = merge.is_string() ? merge.get<std::string>() : std::string();
    const std::size_t space = text.find(' ');
    if (space == std::string::npos)
        return false;
    add(text.substr(0, space), text.substr(space + 1));
    return true;
}

void BytePairs::readFile(const std::filesystem::path& file, const std::string& reader, Lines lines) {
    const std::string name = displayNameInFolder(file);
    std::ifstream in(file);
    if (!in)
        throw Error("text.missing", reader + " needs " + name + ", which could not be read.",
                    {{"file", name}});
    for (std::string line; std::getline(in, line);) {
        if (!line.empty() && line.back() == '\r')
            line.pop_back();
        if (line.starts_with("#version") || line.empty())
            continue;
        const std::size_t space = line.find(' '),
                          second = space == std::string::npos ? space : line.find(' ', space + 1);
        if (space == std::string::npos || (second != std::string::npos && lines == Lines::Pairs))
            throw Error("text.notBytePairs",
                        name + " contains the line “" + validText(line.substr(0, 60)) +
                            "”, which is not a pair.",
                        {{"file", name}});
        add(line.substr(0, space), line.substr(space + 1, second - space - 1));
    }
}

std::vector<std::string> BytePairs::merged(std::vector<std::string> parts) const {
    while (parts.size() > 1) {
        int best = std::numeric_limits<int>::max();
        std::string left, right;
        for (std::size_t i = 0; i + 1 < parts.size(); ++i)
            if (const auto rank = m_ranks.find(parts[i] + " " + parts[i + 1]);
                rank != m_ranks.end() && rank->second < best) {
                best = rank->second;
                left = parts[i];
                right = parts[i + 1];
            }
        if (best == std::numeric_limits<int>::max())
            break;
        std::vector<std::string> joined;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const bool pair = i + 1 < parts.size() && parts[i] == left && parts[i + 1] == right;
            joined.push_back(pair ? left + right : parts[i]);
            i += pair ? 1 : 0;
        }
        parts = std::move(joined);
    }
    return parts;
}

std::vector<std::string> utf8Letters(std::string_view text) {
    std::vector<std::string> letters;
    for (std::size_t at = 0; at < text.size(); at += letters.back().size())
        letters.emplace_back(text.substr(at, utf8LetterBytes(text, at)));
    return letters;
}

} // namespace headroom
