// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace headroom {

/// Splits at blanks, tabs and line breaks. Punctuation and case stay. The views point into `text`.
std::vector<std::string_view> wordsOfText(std::string_view text);
/// Returns the number of these words.
std::int64_t wordCount(std::string_view text);

} // namespace headroom
