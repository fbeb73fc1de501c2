// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/unicode_text.h"

#include <algorithm>
#include <array>
#include <utf8proc.h>

namespace headroom {

namespace {

constexpr char32_t kReplacement = 0xFFFD;

utf8proc_category_t category(char32_t point) {
    return utf8proc_category(static_cast<utf8proc_int32_t>(point));
}

bool isCased(char32_t point) {
    const auto kind = category(point);
    return kind == UTF8PROC_CATEGORY_LU || kind == UTF8PROC_CATEGORY_LL || kind == UTF8PROC_CATEGORY_LT;
}

/// Unicode's Case_Ignorable: marks, formats, modifiers, and the punctuation that stands inside words.
bool isCaseIgnorable(char32_t point) {
    constexpr std::array<char32_t, 12> kInsideWords{U'\'',  U'.',   U':',   0x00B7, 0x2018, 0x2019,
                                                    0x2024, 0x2027, 0xFE13, 0xFE52, 0xFE55, 0xFF07};
    switch (category(point)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_SK:
        return true;
    default:
        return std::find(kInsideWords.begin(), kInsideWords.end(), point) != kInsideWords.end();
    }
}

/// Unicode's Final_Sigma: behind a letter with case and before none, whatever is ignorable between.
bool endsWord(std::u32string_view points, std::size_t at) {
    std::size_t before = at;
    while (before > 0 && isCaseIgnorable(points[before - 1]))
        --before;
    std::size_t after = at + 1;
    while (after < points.size() && isCaseIgnorable(points[after]))
        ++after;
    return before > 0 && isCased(points[before - 1]) && !(after < points.size() && isCased(points[after]));
}

void append(std::string& text, char32_t point) {
    std::array<utf8proc_uint8_t, 4> bytes{};
    const auto count = utf8proc_encode_char(static_cast<utf8proc_int32_t>(point), bytes.data());
    text.append(reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(count));
}

} // namespace

std::u32string codePoints(std::string_view text) {
    std::u32string points;
    points.reserve(text.size());
    const auto* at = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
    auto left = static_cast<utf8proc_ssize_t>(text.size());
    while (left > 0) {
        utf8proc_int32_t point = -1;
        auto used = utf8proc_iterate(at, left, &point);
        if (used <= 0) {
            point = static_cast<utf8proc_int32_t>(kReplacement);
            used = 1;
        }
        points.push_back(static_cast<char32_t>(point));
        at += used;
        left -= used;
    }
    return points;
}

std::string utf8(std::u32string_view points) {
    std::string text;
    for (const auto point : points)
        append(text, point);
    return text;
}

bool isBlank(char32_t point) {
    return (point >= 0x09 && point <= 0x0D) || (point >= 0x1C && point <= 0x20) || point == 0x85 ||
           point == 0xA0 || point == 0x1680 || (point >= 0x2000 && point <= 0x200A) || point == 0x2028 ||
           point == 0x2029 || point == 0x202F || point == 0x205F || point == 0x3000;
}

bool isPunctuation(char32_t point) {
    const auto kind = category(point);
    return kind >= UTF8PROC_CATEGORY_PC && kind <= UTF8PROC_CATEGORY_PO;
}

bool isAlpha(char32_t point) {
    const auto kind = category(point);
    return kind >= UTF8PROC_CATEGORY_LU && kind <= UTF8PROC_CATEGORY_LO;
}

bool isLowerCase(char32_t point) {
    return category(point) == UTF8PROC_CATEGORY_LL;
}

std::string lowerCase(std::string_view text) {
    const auto points = codePoints(text);
    std::string lower;
    lower.reserve(text.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (points[i] == 0x0130) {
            append(lower, U'i');
            append(lower, 0x0307);
        } else if (points[i] == 0x03A3) {
            append(lower, endsWord(points, i) ? 0x03C2 : 0x03C3);
        } else {
            append(lower, static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(points[i]))));
        }
    }
    return lower;
}

std::vector<std::string> splitAtUnicodeBlanks(std::string_view text) {
    std::vector<std::string> words;
    bool inWord = false;
    for (const auto point : codePoints(text)) {
        const bool blank = isBlank(point);
        if (!blank && !inWord)
            words.emplace_back();
        if (!blank)
            append(words.back(), point);
        inWord = !blank;
    }
    return words;
}

std::string withoutTrailingBlanks(std::string_view text) {
    auto points = codePoints(text);
    while (!points.empty() && isBlank(points.back()))
        points.pop_back();
    return utf8(points);
}

} // namespace headroom
