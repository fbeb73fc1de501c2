// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/decoding/long_recording.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <span>
#include <sstream>

namespace headroom::training {

namespace {

std::vector<std::string> wordsIn(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> words;
    for (std::string word; in >> word;)
        words.push_back(std::move(word));
    return words;
}

/// Without ASCII punctuation and in lower case: the edges of a window invent capitals and full stops.
std::string compared(const std::string& word) {
    std::string kept;
    for (const char letter : word) {
        const auto byte = static_cast<unsigned char>(letter);
        if (byte < 0x80 && std::ispunct(byte) && letter != '\'')
            continue;
        kept += byte < 0x80 ? static_cast<char>(std::tolower(byte)) : letter;
    }
    return kept;
}

struct Seam {
    std::size_t keptBefore, firstAfter; ///< words kept of the text before; first word taken of the text after
};

/// Aligns the end of `before` with the beginning of `after`: a common word counts 2, a word that only one has
/// −1, and words in front of the overlap and behind it cost nothing.
Seam seamOf(std::span<const std::string> before, std::span<const std::string> after) {
    const std::size_t rows = before.size() + 1, columns = after.size() + 1;
    constexpr int kCommon = 2, kOther = -1;
    std::vector<int> score(rows * columns, 0);
    const auto at = [&](std::size_t i, std::size_t j) -> int& { return score[i * columns + j]; };
    std::vector<std::string> a, b;
    for (const std::string& word : before)
        a.push_back(compared(word));
    for (const std::string& word : after)
        b.push_back(compared(word));
    const auto common = [&](std::size_t i, std::size_t j) { return !a[i].empty() && a[i] == b[j]; };
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 1; j < columns; ++j) { // column 0: what stands in front of the overlap is free
            int best = at(i, j - 1) + kOther;
            if (i > 0)
                best = std::max({best, at(i - 1, j) + kOther,
                                 at(i - 1, j - 1) + (common(i - 1, j - 1) ? kCommon : kOther)});
            at(i, j) = best;
        }
    std::size_t column = 0; // the overlap ends with the text before; what follows in the text after is free
    for (std::size_t j = 1; j < columns; ++j)
        if (at(rows - 1, j) > at(rows - 1, column))
            column = j;
    std::vector<Seam> pairs;
    for (std::size_t i = rows - 1, j = column; j > 0;) {
        const bool both = i > 0 && common(i - 1, j - 1);
        if (i > 0 && at(i, j) == at(i - 1, j - 1) + (both ? kCommon : kOther)) {
            --i;
            --j;
            if (both)
                pairs.push_back({i + 1, j + 1}); // the common word is taken from the text before
        } else if (i > 0 && at(i, j) == at(i - 1, j) + kOther) {
            --i;
        } else {
            --j;
        }
    }
    return pairs.empty() ? Seam{before.size(), 0} : pairs[pairs.size() / 2];
}

} // namespace

std::vector<WindowSpan> windowSpans(Samples samples, SampleRate rate, const WindowSettings& settings) {
    const auto inSamples = [&](double seconds) {
        return static_cast<std::int64_t>(std::llround(seconds * rate.hertz()));
    };
    const std::int64_t window = inSamples(settings.window), all = samples.value();
    if (!settings.cuts() || all <= window)
        return {{0, all}};
    const std::int64_t step = std::max<std::int64_t>(1, window - inSamples(settings.overlap));
    std::vector<WindowSpan> spans;
    const std::int64_t least =
        std::min(window, inSamples(1)); // of the last window, where windows do not overlap
    for (std::int64_t start = 0;; start += step) {
        if (start + window >= all) {
            start = std::min(start, all - least);
            spans.push_back({start, all - start});
            return spans;
        }
        spans.push_back({start, window});
    }
}

std::string stitchTexts(const std::vector<std::string>& texts, double share) {
    if (texts.size() == 1)
        return texts.front();
    std::vector<std::string> words;
    std::size_t last = 0; // words of the text before that are its own
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const std::vector<std::string> next = wordsIn(texts[i]);
        constexpr std::size_t kMore = 3;
        const auto reach = [&](std::size_t count) {
            return std::min(
                count, static_cast<std::size_t>(std::ceil(2 * share * static_cast<double>(count))) + kMore);
        };
        const std::size_t behind = i == 0 ? 0 : std::min(words.size(), reach(last)),
                          ahead = i == 0 ? 0 : reach(next.size());
        const std::size_t front = words.size() - behind;
        const Seam seam = seamOf(std::span(words).subspan(front), std::span(next).first(ahead));
        words.resize(front + seam.keptBefore);
        words.insert(words.end(), next.begin() + static_cast<std::ptrdiff_t>(seam.firstAfter), next.end());
        last = next.size();
    }
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : " ") + word;
    return text;
}

} // namespace headroom::training
