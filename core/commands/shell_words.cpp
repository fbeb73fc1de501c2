// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/commands/shell_words.h"

#include <algorithm>

namespace headroom {

namespace {

bool isPlain(unsigned char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           std::string_view("_@+=:,./-").find(static_cast<char>(c)) != std::string_view::npos;
}

} // namespace

std::string shellWord(std::string_view word) {
    // zsh replaces a word that begins with "=" by the path of a program.
    if (!word.empty() && word.front() != '=' && std::all_of(word.begin(), word.end(), isPlain))
        return std::string(word);
    std::string quoted = "'";
    for (const char c : word) {
        // Outside the quotes: a quote ends them, fish reads a backslash in them, and csh an exclamation mark.
        if (c == '\'' || c == '\\' || c == '!')
            quoted.append("'\\").append(1, c).append("'");
        else
            quoted += c;
    }
    return quoted + "'";
}

std::string shellLine(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words)
        line += (line.empty() ? "" : " ") + shellWord(word);
    return line;
}

} // namespace headroom
