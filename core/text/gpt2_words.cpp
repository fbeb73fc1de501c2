// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/byte_pair_encoding.h"

#include <array>
#include <utf8proc.h>

namespace headroom {

namespace {

enum class Sort { Letter, Number, Blank, Other, End };

/// A code point of a text, or the end of it.
struct Point {
    Sort sort = Sort::End;
    std::size_t next = 0; ///< where the following one begins
};

bool isBlankPoint(utf8proc_int32_t point) {
    return (point >= 9 && point <= 13) || point == 0x85 ||
           (utf8proc_category(point) == UTF8PROC_CATEGORY_ZS) || point == 0x2028 || point == 0x2029;
}

Point pointAt(std::string_view text, std::size_t at) {
    if (at >= text.size())
        return {Sort::End, at};
    utf8proc_int32_t point = 0;
    const auto length = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + at,
                                         static_cast<utf8proc_ssize_t>(text.size() - at), &point);
    if (length <= 0) // not UTF-8: a byte by itself
        return {Sort::Other, at + 1};
    const std::size_t next = at + static_cast<std::size_t>(length);
    switch (utf8proc_category(point)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
        return {Sort::Letter, next};
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
        return {Sort::Number, next};
    default:
        return {isBlankPoint(point) ? Sort::Blank : Sort::Other, next};
    }
}

/// The end of a contraction at `at`, or `at`.
std::size_t contractionEnd(std::string_view text, std::size_t at) {
    constexpr std::array<std::string_view, 7> kContractions{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"};
    for (const std::string_view one : kContractions)
        if (text.substr(at).starts_with(one))
            return at + one.size();
    return at;
}

/// The end of the word that starts at `at`, which is inside the text.
std::size_t wordEnd(std::string_view text, std::size_t at) {
    if (const std::size_t end = contractionEnd(text, at); end > at)
        return end;
    const std::size_t first = text[at] == ' ' ? at + 1 : at; // a space in front belongs to the word
    Point point = pointAt(text, first);
    if (point.sort != Sort::Blank && point.sort != Sort::End) {
        const Sort sort = point.sort;
        std::size_t end = first;
        for (; point.sort == sort; point = pointAt(text, end))
            end = point.next;
        return end;
    }
    // Blanks. The last one in front of a word is left for the word, if there are several.
    std::size_t end = at, last = at;
    for (point = pointAt(text, at); point.sort == Sort::Blank; point = pointAt(text, end)) {
        last = end;
        end = point.next;
    }
    return point.sort == Sort::End || last == at ? end : last;
}

} // namespace

std::vector<std::string_view> gpt2Words(std::string_view text) {
    std::vector<std::string_view> words;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = wordEnd(text, at);
        words.push_back(text.substr(at, end - at));
        at = end;
    }
    return words;
}

} // namespace headroom
