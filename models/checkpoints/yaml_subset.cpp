// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/yaml_subset.h"

#include "core/errors/error.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace headroom::models {
namespace {

using nlohmann::json;

constexpr int kDeepestYaml = 32;
constexpr std::size_t kMostYaml = 16u << 20;

struct YamlLine {
    int indent = 0;
    std::string text; ///< without indentation and comment
    int number = 0;   ///< from 1
};

void appendUtf8(std::string& out, unsigned code) {
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += static_cast<char>(0xC0 | code >> 6);
        out += static_cast<char>(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        out += static_cast<char>(0xE0 | code >> 12);
        out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
        out += static_cast<char>(0x80 | (code & 0x3F));
    } else {
        out += static_cast<char>(0xF0 | code >> 18);
        out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
        out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
        out += static_cast<char>(0x80 | (code & 0x3F));
    }
}

/// Where a quoted text that begins at `at` ends: behind its closing quote; npos: on a later line.
std::size_t endOfQuoted(std::string_view text, std::size_t at) {
    const char quote = text[at];
    for (std::size_t i = at + 1; i < text.size(); ++i) {
        if (quote == '"' && text[i] == '\\')
            ++i;
        else if (text[i] == quote) {
            if (quote == '\'' && i + 1 < text.size() && text[i + 1] == quote)
                ++i;
            else
                return i + 1;
        }
    }
    return std::string_view::npos;
}

/// Calls `seen(place)` for each character outside quotes until it returns true. Returns that place, or npos.
template <class Seen>
std::size_t findUnquoted(std::string_view text, Seen seen) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool opens = (text[i] == '"' || text[i] == '\'') &&
                           (i == 0 || std::string_view(" [{,:-").find(text[i - 1]) != std::string_view::npos);
        if (opens) {
            const std::size_t end = endOfQuoted(text, i);
            if (end == std::string_view::npos)
                return std::string_view::npos;
            i = end - 1;
        } else if (seen(i)) {
            return i;
        }
    }
    return std::string_view::npos;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

class YamlReader {
public:
    YamlReader(std::string_view text, const std::string& name) : m_name(name) {
        if (text.size() > kMostYaml)
            refuse(1, "is too long for a model description");
        int number = 0;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find('\n', at), text.size());
            const std::string_view line = text.substr(at, end - at);
            at = end + 1;
            ++number;
            const std::size_t first = line.find_first_not_of(' ');
            if (first == std::string_view::npos || trimmed(line).empty() || line[first] == '#' || line == "---" ||
                line.starts_with("%"))
                continue;
            if (line[first] == '\t')
                refuse(number, "is indented with a tab");
            std::string_view content = trimmed(line.substr(first));
            if (const auto comment = findUnquoted(
                    content, [&](std::size_t i) { return content[i] == '#' && i > 0 && content[i - 1] == ' '; });
                comment != std::string_view::npos)
                content = trimmed(content.substr(0, comment));
            m_lines.push_back({static_cast<int>(first), std::string(content), number});
        }
    }

    json document() {
        if (m_lines.empty())
            return json::object();
        json value = block(m_lines.front().indent, 0);
        if (m_at < m_lines.size())
            refuse(m_lines[m_at].number, "does not fit the lines above it");
        return value;
    }

private:
    [[noreturn]] void refuse(int line, const std::string& what) const {
        throw Error("model.badConfig", m_name + ", line " + std::to_string(line) + ": the line " + what + ".",
                    {{"file", m_name}, {"line", line}});
    }
    bool here(int indent) const { return m_at < m_lines.size() && m_lines[m_at].indent == indent; }
    static bool isItem(const std::string& text) { return text == "-" || text.starts_with("- "); }

    /// Where the key of “key: value” ends; npos: the text is none.
    static std::size_t colonOf(std::string_view text) {
        if (text.empty() || text[0] == '[' || text[0] == '{')
            return std::string_view::npos;
        return findUnquoted(text, [&](std::size_t i) {
            return text[i] == ':' && (i + 1 == text.size() || text[i + 1] == ' ');
        });
    }

    json block(int indent, int depth) {
        if (depth > kDeepestYaml)
            refuse(m_lines[m_at].number, "is nested more than " + std::to_string(kDeepestYaml) + " deep");
        if (isItem(m_lines[m_at].text))
            return list(indent, depth);
        if (colonOf(m_lines[m_at].text) != std::string_view::npos)
            return mapping(indent, depth);
        YamlLine line = m_lines[m_at++];
        return value(std::move(line.text), indent - 1, line.number);
    }

    json mapping(int indent, int depth) {
        json result = json::object();
        while (here(indent) && !isItem(m_lines[m_at].text)) {
            const YamlLine line = m_lines[m_at];
            const std::size_t colon = colonOf(line.text);
            if (colon == std::string_view::npos)
                refuse(line.number, "is neither “key: value” nor a list");
            const json key = scalar(trimmed(std::string_view(line.text).substr(0, colon)), line.number);
            const std::string name = key.is_string() ? key.get<std::string>() : key.dump();
            std::string rest(trimmed(std::string_view(line.text).substr(colon + 1)));
            ++m_at;
            json found;
            if (!rest.empty())
                found = value(std::move(rest), indent, line.number);
            else if (m_at < m_lines.size() && m_lines[m_at].indent > indent)
                found = block(m_lines[m_at].indent, depth + 1);
            else if (here(indent) && isItem(m_lines[m_at].text)) // PyYAML does not indent lists
                found = list(indent, depth + 1);
            if (!result.emplace(name, std::move(found)).second)
                refuse(line.number, "repeats the key “" + name.substr(0, 60) + "”");
        }
        return result;
    }

    json list(int indent, int depth) {
        if (depth > kDeepestYaml)
            refuse(m_lines[m_at].number, "is nested more than " + std::to_string(kDeepestYaml) + " deep");
        json result = json::array();
        while (here(indent) && isItem(m_lines[m_at].text)) {
            YamlLine& line = m_lines[m_at];
            const std::string rest(trimmed(std::string_view(line.text).substr(1)));
            if (rest.empty()) {
                ++m_at;
                const bool nested = m_at < m_lines.size() && m_lines[m_at].indent > indent;
                result.push_back(nested ? block(m_lines[m_at].indent, depth + 1) : json());
            } else if (isItem(rest) || colonOf(rest) != std::string_view::npos) { // a list or mapping that begins here
                line.indent = indent + static_cast<int>(line.text.size() - rest.size());
                line.text = rest;
                result.push_back(block(line.indent, depth + 1));
            } else {
                const int number = line.number;
                ++m_at;
                result.push_back(value(rest, indent, number));
            }
        }
        return result;
    }

    /// A scalar or a collection in brackets, with the deeper lines that continue it.
    json value(std::string text, int indent, int number) {
        const bool folded = text[0] == '|' || text[0] == '>';
        if (folded)
            text.clear();
        const bool plain = !folded && std::string_view("[{\"'").find(text[0]) == std::string_view::npos;
        for (; m_at < m_lines.size() && m_lines[m_at].indent > indent; ++m_at) {
            if (plain && (isItem(m_lines[m_at].text) || colonOf(m_lines[m_at].text) != std::string_view::npos))
                refuse(m_lines[m_at].number, "does not fit the lines above it");
            text += (text.empty() ? "" : " ") + m_lines[m_at].text;
        }
        if (folded)
            return text;
        if (text[0] != '[' && text[0] != '{')
            return scalar(text, number);
        std::size_t at = 0;
        json found = bracketed(text, at, number, 0);
        if (at != text.size())
            refuse(number, "has something behind a closing bracket");
        return found;
    }

    json bracketed(std::string_view text, std::size_t& at, int number, int depth) {
        const auto skip = [&] {
            while (at < text.size() && text[at] == ' ')
                ++at;
        };
        const bool isList = text[at] == '[';
        const char closing = isList ? ']' : '}';
        if (depth > kDeepestYaml)
            refuse(number, "is nested more than " + std::to_string(kDeepestYaml) + " deep");
        json result = isList ? json::array() : json::object();
        ++at;
        for (skip();; skip()) {
            if (at >= text.size())
                refuse(number, "has no closing bracket");
            if (text[at] == closing) {
                ++at;
                return result;
            }
            std::string key;
            if (!isList) {
                const json word = inBrackets(text, at, number, depth, ",]}:");
                key = word.is_string() ? word.get<std::string>() : word.dump();
                skip();
                if (at >= text.size() || text[at++] != ':')
                    refuse(number, "has a key without a value");
                skip();
            }
            json one = at < text.size() ? inBrackets(text, at, number, depth, ",]}") : json();
            if (isList)
                result.push_back(std::move(one));
            else
                result[key] = std::move(one);
            skip();
            if (at < text.size() && text[at] == ',')
                ++at;
            else if (at >= text.size() || text[at] != closing)
                refuse(number, "has no closing bracket");
        }
    }

    json inBrackets(std::string_view text, std::size_t& at, int number, int depth, const char* ends) {
        if (text[at] == '[' || text[at] == '{')
            return bracketed(text, at, number, depth + 1);
        const std::string_view rest = text.substr(at);
        std::size_t end = 0;
        if (rest[0] == '"' || rest[0] == '\'')
            end = endOfQuoted(rest, 0);
        else
            end = rest.find_first_of(ends);
        if (end == std::string_view::npos)
            refuse(number, "has no closing bracket or quote");
        at += end;
        return scalar(trimmed(rest.substr(0, end)), number);
    }

    json scalar(std::string_view text, int number) const {
        if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL")
            return nullptr;
        if (text[0] == '!')
            refuse(number, "has the tag “" + std::string(text.substr(0, 40)) + "”; tags are never executed");
        if (text[0] == '&' || text[0] == '*')
            refuse(number, "has an anchor or alias, which this version does not read");
        if (text[0] == '"' || text[0] == '\'') {
            if (endOfQuoted(text, 0) != text.size())
                refuse(number, "has a text whose quotes do not match");
            return text[0] == '"' ? escaped(text.substr(1, text.size() - 2), number)
                                  : doubled(text.substr(1, text.size() - 2));
        }
        if (text == "true" || text == "True" || text == "TRUE")
            return true;
        if (text == "false" || text == "False" || text == "FALSE")
            return false;
        std::int64_t whole = 0;
        const char *first = text.data() + (text[0] == '+'), *last = text.data() + text.size();
        if (const auto [end, problem] = std::from_chars(first, last, whole); problem == std::errc() && end == last)
            return whole;
        double real = 0;
        if (const auto [end, problem] = std::from_chars(first, last, real);
            problem == std::errc() && end == last && text.find_first_of("0123456789") != std::string_view::npos)
            return real;
        return std::string(text);
    }

    static std::string doubled(std::string_view text) {
        std::string out;
        for (std::size_t i = 0; i < text.size(); ++i) {
            out += text[i];
            i += text[i] == '\''; // the second one of a pair
        }
        return out;
    }

    std::string escaped(std::string_view text, int number) const {
        std::string out;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] != '\\') {
                out += text[i];
                continue;
            }
            const char kind = ++i < text.size() ? text[i] : '\0';
            const std::size_t digits = kind == 'x' ? 2 : kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
            if (digits > 0) {
                unsigned code = 0;
                const char *first = text.data() + i + 1, *last = first + std::min(digits, text.size() - i - 1);
                if (const auto [end, problem] = std::from_chars(first, last, code, 16);
                    problem != std::errc() || end != first + digits || code > 0x10FFFF)
                    refuse(number, "has a damaged escape in a text");
                appendUtf8(out, code);
                i += digits;
            } else {
                constexpr std::string_view kKinds = "nt0\\\"/r e", kMeant{"\n\t\0\\\"/\r \x1b", 9};
                const std::size_t which = kKinds.find(kind);
                if (which == std::string_view::npos)
                    refuse(number, "has an unknown escape in a text");
                out += kMeant[which];
            }
        }
        return out;
    }

    const std::string& m_name;
    std::vector<YamlLine> m_lines;
    std::size_t m_at = 0;
};

} // namespace

json parseYaml(std::string_view text, const std::string& name) {
    return YamlReader(text, name).document();
}

} // namespace headroom::models
