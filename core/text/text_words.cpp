// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/text_words.h"

#include <algorithm>

namespace headroom {

std::vector<std::string_view> wordsOfText(std::string_view text) {
    constexpr std::string_view kBlank = " \t\r\n";
    std::vector<std::string_view> words;
    for (auto at = text.find_first_not_of(kBlank); at != std::string_view::npos;) {
        const auto end = std::min(text.find_first_of(kBlank, at), text.size());
        words.push_back(text.substr(at, end - at));
        at = text.find_first_not_of(kBlank, end);
    }
    return words;
}

std::int64_t wordCount(std::string_view text) {
    return std::ssize(wordsOfText(text));
}

} // namespace headroom
