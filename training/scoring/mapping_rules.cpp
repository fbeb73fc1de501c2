// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/scoring/mapping_rules.h"

#include "core/errors/error.h"

#include <algorithm>
#include <regex>

namespace headroom::training {

namespace {

constexpr std::string_view kComment = ";;";

bool isRuleBlank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

char capital(char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

std::string capitals(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), capital);
    return result;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && isRuleBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isRuleBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

/// What stands in brackets or quotes, or as it is.
std::string content(std::string_view text) {
    text = trimmed(text);
    if (text.size() >= 2 &&
        ((text.front() == '[' && text.back() == ']') || (text.front() == '"' && text.back() == '"')))
        text = text.substr(1, text.size() - 2);
    return std::string(text);
}

/// Whether `part` stands at `at`.
bool stands(std::string_view text, std::size_t at, std::string_view part, bool caseSensitive) {
    const std::string_view there = text.substr(at, part.size());
    return there.size() == part.size() &&
           std::equal(there.begin(), there.end(), part.begin(), [&](char a, char b) {
               return caseSensitive ? a == b : capital(a) == capital(b);
           });
}

/// Runs of blanks become one blank; none at the ends.
std::string singleBlanks(std::string_view text) {
    std::string result;
    for (const char c : trimmed(text))
        if (!isRuleBlank(c))
            result += c;
        else if (result.back() != ' ')
            result += ' ';
    return result;
}

/// Of several words in parentheses each may be left out by itself: "( a b )" becomes "( a ) ( b )". Blanks are single.
std::string eachInParentheses(std::string_view text) {
    std::string result;
    bool isOpen = false, hasWord = false;
    while (!text.empty()) {
        const std::string_view token = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(token.size() + 1, text.size()));
        const bool isWord = token.find_first_of("()") == std::string_view::npos;
        if (isOpen && isWord && hasWord)
            result += ") ( ";
        hasWord = isOpen && isWord;
        isOpen = token == "(" || (isOpen && isWord);
        result += token;
        if (!text.empty())
            result += ' ';
    }
    return result;
}

} // namespace

MappingRules MappingRules::parse(std::string_view text, const std::string& name) {
    MappingRules rules;
    int number = 0;
    bool applies = true;
    const auto refuse = [&](const std::string& what) {
        throw Error("scoring.glm", name + ", line " + std::to_string(number) + ": " + what + ".",
                    {{"file", name}, {"line", number}});
    };
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        std::string line(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        ++number;
        if (number == 1 && !line.starts_with(kComment))
            refuse("a file of mapping rules begins with a comment, “;; …”");
        static const std::regex dependent("^;;\\s+INPUT_DEPENDENT_APPLICATION\\s*=\\s*\"([^\"]*)\".*");
        if (std::smatch found; std::regex_search(line, found, dependent)) {
            std::string wanted = found[1];
            std::transform(wanted.begin(), wanted.end(), wanted.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
            try {
                const std::regex types(wanted);
                applies = std::regex_search("trn", types) || std::regex_search("", types);
            } catch (const std::regex_error&) {
                refuse("“" + wanted + "” is not a regular expression");
            }
            continue;
        }
        line = std::string(trimmed(line.substr(0, line.find(kComment))));
        if (!applies || line.empty())
            continue;
        if (line.front() == '*') {
            const auto quote = line.find_first_of("'\"");
            const auto close = quote == std::string::npos ? quote : line.find_first_of("'\"", quote + 1);
            if (close == std::string::npos)
                refuse("a value in quotes is missing");
            const std::string value = capitals(line.substr(quote + 1, close - quote - 1)), key = capitals(line.substr(0, quote));
            const bool isTrue = value.starts_with('T') || value.starts_with('Y') || value == "1";
            if (key.find("CASE_SENSITIVE") != std::string::npos)
                rules.m_caseSensitive = isTrue;
            else if (key.find("COPY_NO_HIT") != std::string::npos)
                rules.m_keepsOthers = isTrue;
            else if (key.find("FORMAT") != std::string::npos && value != "NIST1")
                refuse("the format “" + value + "” is not supported; NIST1 is");
            continue;
        }
        const auto arrow = line.find("=>");
        if (arrow == std::string::npos)
            refuse("there is no “=>”");
        Rule rule;
        rule.from = content(line.substr(0, arrow));
        if (rule.from.empty())
            refuse("the text to replace is missing");
        // The last slash begins the context, unless it stands in brackets.
        auto slash = line.rfind('/');
        if (slash != std::string::npos) {
            const auto closing = line.find(']', slash), opening = line.find('[', slash);
            const bool isInside = closing == std::string::npos ? opening != std::string::npos
                                                               : opening != std::string::npos && closing < opening;
            const bool onlyCloses = closing != std::string::npos && opening == std::string::npos;
            if (isInside || onlyCloses || slash < arrow)
                slash = std::string::npos;
        }
        rule.to = content(line.substr(arrow + 2, slash == std::string::npos ? slash : slash - arrow - 2));
        if (slash != std::string::npos) {
            const auto place = line.find('_', slash);
            if (place == std::string::npos)
                refuse("the context after “/” has no place “__”");
            rule.before = content(line.substr(slash + 1, place - slash - 1));
            rule.after = content(line.substr(std::min(line.find_first_not_of('_', place), line.size())));
        }
        rules.m_rules.push_back(std::move(rule));
    }
    if (number == 0)
        throw Error("scoring.glm", name + " is empty.", {{"file", name}});
    return rules;
}

std::string MappingRules::apply(std::string_view text, bool caseSensitive) const {
    std::string padded = " " + (caseSensitive ? std::string(text) : capitals(text)) + " ";
    std::string spaced; // a blank before and behind each parenthesis, and single blanks
    for (const char c : padded) {
        if (c == '(')
            spaced += " ( ";
        else if (c == ')')
            spaced += " )";
        else
            spaced += c;
    }
    std::string in = " " + singleBlanks(spaced) + " ";
    std::string out;
    for (std::size_t at = 0; at < in.size();) {
        const auto fits = std::find_if(m_rules.begin(), m_rules.end(), [&](const Rule& rule) {
            return stands(in, at, rule.from, m_caseSensitive) && at >= rule.before.size() &&
                   stands(in, at - rule.before.size(), rule.before, m_caseSensitive) &&
                   stands(in, at + rule.from.size(), rule.after, m_caseSensitive);
        });
        if (fits != m_rules.end()) {
            out += fits->to;
            at += fits->from.size();
            continue;
        }
        if (m_keepsOthers)
            out += in[at];
        ++at;
    }
    std::string result; // the parentheses close again
    for (const char c : eachInParentheses(singleBlanks(out))) {
        if (c == ')' && result.ends_with(' '))
            result.pop_back();
        if (!(c == ' ' && result.ends_with('(')))
            result += c;
    }
    return result;
}

} // namespace headroom::training
