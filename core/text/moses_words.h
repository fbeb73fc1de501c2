// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// Cuts a UTF-8 text into words as Moses' tokenizer.perl does with -a (dashes between letters become “@-@”)
/// and with escaped XML characters: punctuation stands alone, contractions are cut by the rules of the
/// language (en; fr and it; others). A full stop ends a word unless the word is an initial, has another full
/// stop in it, is a known abbreviation (a short list of English and German ones: Moses' lists are longer), or
/// stands before a small letter.
std::vector<std::string> mosesWords(std::string_view text, std::string_view language);

/// Joins such words as detokenizer.perl does: no space before a closing mark or behind an opening one, quotes
/// in pairs, contractions of English, French and Italian joined.
std::string mosesText(const std::vector<std::string>& words, std::string_view language);

} // namespace headroom
