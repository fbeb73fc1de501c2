// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/scored_words.h"

#include "core/text/tokenizer_13a.h"
#include "core/text/unicode_text.h"

#include <algorithm>

namespace headroom {

std::vector<std::string> scoredWords(std::string_view line) {
    std::vector<std::string> words;
    for (const std::string& token : splitAtUnicodeBlanks(tokenize13a(line))) {
        const auto points = codePoints(token);
        if (!std::all_of(points.begin(), points.end(), isPunctuation))
            words.push_back(lowerCase(token));
    }
    return words;
}

} // namespace headroom
