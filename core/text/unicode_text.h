// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

// Text as in Python's str, because the field's scores are defined by Python programs. UTF-8 in and out;
// invalid bytes count as U+FFFD. Pure functions, safe on every thread.
namespace headroom {

std::u32string codePoints(std::string_view text);
std::string utf8(std::u32string_view points);

/// str.isspace: where str.split() splits, including U+00A0 and U+3000.
bool isBlank(char32_t point);
/// A general category of P*: "!", "“", "…", "-"; not "$", "+", "<", which are symbols.
bool isPunctuation(char32_t point);
/// str.isalpha: a general category of L*.
bool isAlpha(char32_t point);
/// "a", "ß"; not letters of scripts without capitals.
bool isLowerCase(char32_t point);

/// str.lower(): full mapping, with the two cases that a mapping by code point misses: "İ" becomes "i̇" (two
/// code points), and a capital sigma at the end of a word becomes "ς".
std::string lowerCase(std::string_view text);

/// str.split()
std::vector<std::string> splitAtUnicodeBlanks(std::string_view text);
/// str.rstrip()
std::string withoutTrailingBlanks(std::string_view text);

} // namespace headroom
