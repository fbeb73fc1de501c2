// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer_13a.h"

#include "core/text/replace_all.h"
#include "core/text/unicode_text.h"

namespace headroom {

namespace {

/// [\{-\~\[-\` -\&\(-\+\:-\@\/]: all signs of ASCII but ' , - .
bool standsAlone(char c) {
    return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') ||
           (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
}

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

bool isStop(char c) {
    return c == '.' || c == ',';
}

// Three passes of a regular expression over pairs of characters; as there, a pair that matched is behind us,
// so that "..." is cut as ". ." and the third point. Bytes will do: all that is looked for is ASCII.
template <class Match, class Write>
std::string pairs(const std::string& text, Match matches, Write write) {
    std::string result;
    result.reserve(text.size() + text.size() / 2);
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (i + 1 < text.size() && matches(text[i], text[i + 1])) {
            write(result, text[i], text[i + 1]);
            ++i;
        } else {
            result += text[i];
        }
    }
    return result;
}

} // namespace

std::string tokenize13a(std::string_view line) {
    std::string text(line);
    replaceAll(text, "<skipped>", "");
    replaceAll(text, "-\n", "");
    replaceAll(text, "\n", " ");
    replaceAll(text, "&quot;", "\"");
    replaceAll(text, "&amp;", "&");
    replaceAll(text, "&lt;", "<");
    replaceAll(text, "&gt;", ">");
    text = " " + text + " ";

    std::string apart;
    for (const char c : text)
        if (standsAlone(c))
            apart.append({' ', c, ' '});
        else
            apart += c;
    apart = pairs(
        apart, [](char a, char b) { return !isDigit(a) && isStop(b); },
        [](std::string& out, char a, char b) {
            out.append({a, ' ', b, ' '});
        });
    apart = pairs(
        apart, [](char a, char b) { return isStop(a) && !isDigit(b); },
        [](std::string& out, char a, char b) {
            out.append({' ', a, ' ', b});
        });
    apart = pairs(
        apart, [](char a, char b) { return isDigit(a) && b == '-'; },
        [](std::string& out, char a, char b) {
            out.append({a, ' ', b, ' '});
        });

    std::string tokens;
    for (const auto& token : splitAtUnicodeBlanks(apart))
        tokens += (tokens.empty() ? "" : " ") + token;
    return tokens;
}

} // namespace headroom
