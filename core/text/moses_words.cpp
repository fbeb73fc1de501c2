// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/moses_words.h"

#include "core/text/unicode_text.h"

#include <algorithm>
#include <array>
#include <utf8proc.h>
#include <utility>

namespace headroom {

namespace {

using Points = std::u32string;

utf8proc_category_t sortOf(char32_t point) {
    return utf8proc_category(static_cast<utf8proc_int32_t>(point));
}
bool isLetter(char32_t point) {
    const auto sort = sortOf(point);
    return (sort >= UTF8PROC_CATEGORY_LU && sort <= UTF8PROC_CATEGORY_LO) || sort == UTF8PROC_CATEGORY_MN ||
           sort == UTF8PROC_CATEGORY_MC || sort == UTF8PROC_CATEGORY_NL;
}
bool isNumber(char32_t point) {
    const auto sort = sortOf(point);
    return sort == UTF8PROC_CATEGORY_ND || sort == UTF8PROC_CATEGORY_NL || sort == UTF8PROC_CATEGORY_NO;
}
bool isWordPoint(char32_t point) {
    return isLetter(point) || sortOf(point) == UTF8PROC_CATEGORY_ND;
}
bool isSpace(char32_t point) {
    return point == U' ' || (point >= 9 && point <= 13) || point == 0x85 ||
           sortOf(point) == UTF8PROC_CATEGORY_ZS || point == 0x2028 || point == 0x2029;
}
bool isSmall(char32_t point) {
    return sortOf(point) == UTF8PROC_CATEGORY_LL;
}

/// Quotation marks, dashes and the like as ASCII (normalize-punctuation.perl,
/// replace-unicode-punctuation.perl).
Points plainMarks(const Points& text) {
    Points result;
    for (const char32_t point : text) {
        switch (point) {
        case U'\u2018':
        case U'\u2019':
        case U'\u201A':
        case U'\u00B4':
        case U'`':
            result += U'\'';
            break;
        case U'\u201C':
        case U'\u201D':
        case U'\u201E':
        case U'\u00AB':
        case U'\u00BB':
            result += U'"';
            break;
        case U'\u2013':
            result += U'-';
            break;
        case U'\u2014':
            result += U" - ";
            break;
        case U'\u2026':
            result += U"...";
            break;
        case U'\u00A0':
            result += U' ';
            break;
        default:
            if (isSpace(point) || sortOf(point) != UTF8PROC_CATEGORY_CC)
                result += isSpace(point) ? U' ' : point;
        }
    }
    return result;
}

/// A character by its place, U' ' outside the text.
char32_t at(const Points& text, std::size_t place) {
    return place < text.size() ? text[place] : U' ';
}

/// Punctuation with spaces around it; what needs its neighbours to be judged (. ' , -) stays.
Points apart(const Points& text) {
    Points result;
    for (const char32_t point : text) {
        const bool stays = isWordPoint(point) || isSpace(point) || point == U'.' || point == U'\'' ||
                           point == U',' || point == U'-';
        result += stays ? Points(1, point) : Points{U' ', point, U' '};
    }
    return result;
}

Points withDashes(const Points& text) {
    Points result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool between =
            text[i] == U'-' && i > 0 && isWordPoint(text[i - 1]) && isWordPoint(at(text, i + 1));
        result += between ? Points(U" @-@ ") : Points(1, text[i]);
    }
    return result;
}

/// Runs of full stops are one word; commas stand alone unless digits are on both sides.
Points withStopsAndCommas(const Points& text) {
    Points result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == U'.' && at(text, i + 1) == U'.') {
            result += U' ';
            while (at(text, i) == U'.' && i < text.size())
                result += text[i++];
            result += U' ';
            --i;
        } else if (text[i] == U',' && !(i > 0 && isNumber(text[i - 1]) && isNumber(at(text, i + 1))))
            result += U" , ";
        else
            result += text[i];
    }
    return result;
}

/// A contraction is cut before the apostrophe in English, behind it in French and Italian, and stands alone
/// elsewhere.
Points withApostrophes(const Points& text, std::string_view language) {
    const bool english = language == "en", romance = language == "fr" || language == "it";
    Points result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != U'\'') {
            result += text[i];
            continue;
        }
        const bool before = i > 0 && isLetter(text[i - 1]), after = isLetter(at(text, i + 1));
        const bool decade = i > 0 && isNumber(text[i - 1]) && at(text, i + 1) == U's';
        if (english && ((before && after) || decade))
            result += U" '";
        else if (romance && before && after)
            result += U"' ";
        else
            result += U" ' ";
    }
    return result;
}

std::vector<Points> wordsAtSpaces(const Points& text) {
    std::vector<Points> words(1);
    for (const char32_t point : text) {
        if (!isSpace(point))
            words.back() += point;
        else if (!words.back().empty())
            words.emplace_back();
    }
    if (words.back().empty())
        words.pop_back();
    return words;
}

bool isAbbreviation(const std::string& word, std::string_view language) {
    static constexpr std::array<std::string_view, 30> kEnglish{
        "Adj",  "Adm",   "Adv", "Asst", "Bart", "Bldg", "Brig", "Bros", "Capt", "Cmdr",
        "Col",  "Comdr", "Con", "Corp", "Cpl",  "Dr",   "Esq",  "Gen",  "Gov",  "Hon",
        "Hosp", "Insp",  "Jr",  "Lt",   "Maj",  "Mr",   "Mrs",  "Ms",   "Prof", "Sgt"};
    static constexpr std::array<std::string_view, 14> kEnglishMore{
        "Sr", "St", "vs", "etc", "i.e", "e.g", "rev", "Rev", "Nos", "Nr", "Sen", "Sens", "Rep", "Reps"};
    static constexpr std::array<std::string_view, 12> kGerman{"Dr",   "Mr", "bzw", "ca",  "usw",  "Nr",
                                                              "Prof", "St", "Str", "vgl", "evtl", "Bd"};
    const auto in = [&](const auto& list) { return std::find(list.begin(), list.end(), word) != list.end(); };
    return language == "en" ? in(kEnglish) || in(kEnglishMore) : language == "de" && in(kGerman);
}

/// Whether a word keeps the full stop at its end.
bool keepsStop(const Points& stem, const Points* next, std::string_view language) {
    const bool inside = stem.find(U'.') != Points::npos && std::any_of(stem.begin(), stem.end(), isLetter);
    const bool initial = stem.size() == 1 && sortOf(stem.front()) == UTF8PROC_CATEGORY_LU;
    return inside || initial || isAbbreviation(utf8(stem), language) ||
           (next && isSmall(next->front()));
}

std::string escaped(const Points& word) {
    std::string result;
    for (const char letter : utf8(word))
        switch (letter) {
        case '&':
            result += "&amp;";
            break;
        case '|':
            result += "&#124;";
            break;
        case '<':
            result += "&lt;";
            break;
        case '>':
            result += "&gt;";
            break;
        case '\'':
            result += "&apos;";
            break;
        case '"':
            result += "&quot;";
            break;
        case '[':
            result += "&#91;";
            break;
        case ']':
            result += "&#93;";
            break;
        default:
            result += letter;
        }
    return result;
}

std::string unescaped(std::string word) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kMarks{{{"&#124;", "|"},
                                                                                          {"&lt;", "<"},
                                                                                          {"&gt;", ">"},
                                                                                          {"&quot;", "\""},
                                                                                          {"&apos;", "'"},
                                                                                          {"&#91;", "["},
                                                                                          {"&#93;", "]"},
                                                                                          {"&amp;", "&"}}};
    for (const auto& [mark, letter] : kMarks)
        for (std::size_t place = word.find(mark); place != std::string::npos;
             place = word.find(mark, place + 1))
            word.replace(place, mark.size(), letter);
    return word;
}

bool isOneOf(const std::string& word, std::string_view marks) {
    return word.size() == 1 && marks.find(word.front()) != std::string_view::npos;
}

} // namespace

std::vector<std::string> mosesWords(std::string_view text, std::string_view language) {
    const Points spaced =
        withApostrophes(withStopsAndCommas(withDashes(apart(plainMarks(codePoints(text))))), language);
    std::vector<Points> words = wordsAtSpaces(spaced);
    std::vector<std::string> result;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const Points& word = words[i];
        const bool stopped = word.size() > 1 && word.back() == U'.' && word[word.size() - 2] != U'.';
        const Points stem = stopped ? word.substr(0, word.size() - 1) : word;
        if (stopped && !keepsStop(stem, i + 1 < words.size() ? &words[i + 1] : nullptr, language)) {
            result.push_back(escaped(stem));
            result.emplace_back(".");
        } else
            result.push_back(escaped(word));
    }
    return result;
}

std::string mosesText(const std::vector<std::string>& escapedWords, std::string_view language) {
    std::string text, space;
    bool doubleOpen = false, singleOpen = false;
    std::vector<std::string> words;
    for (const std::string& word : escapedWords)
        words.push_back(unescaped(word));
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word == "@-@") {
            text += "-";
            space.clear();
        } else if (isOneOf(word, "([{") || word == "\u00BF" || word == "\u00A1" || word == "$") {
            text += space + word;
            space.clear();
        } else if (isOneOf(word, ",.?!:;%)]}") ||
                   (word.size() > 1 && word.find_first_not_of('.') == std::string::npos)) {
            text += (language == "fr" && isOneOf(word, "?!:;%") ? " " : "") + word;
            space = " ";
        } else if (language == "en" && i > 0 && word.size() > 1 && word.front() == '\'' &&
                   isLetter(codePoints(word)[1])) {
            text += word;
            space = " ";
        } else if ((language == "fr" || language == "it") && i + 1 < words.size() && word.size() > 1 &&
                   word.back() == '\'') {
            text += space + word;
            space.clear();
        } else if (word == "\"" || word == "'") {
            bool& open = word == "\"" ? doubleOpen : singleOpen;
            const bool plural =
                language == "en" && word == "'" && !open && i > 0 && words[i - 1].ends_with("s");
            if (plural || open) { // the dogs' house; or a closing mark
                text += word;
                space = " ";
                open = false;
            } else {
                text += space + word;
                space.clear();
                open = true;
            }
        } else {
            text += space + word;
            space = " ";
        }
    }
    return text;
}

} // namespace headroom
