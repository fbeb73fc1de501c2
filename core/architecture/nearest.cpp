// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/nearest.h"

#include <algorithm>

namespace headroom {

namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

} // namespace

int editDistance(std::string_view a, std::string_view b) {
    const std::size_t width = b.size() + 1;
    std::vector<int> table((a.size() + 1) * width);
    const auto at = [&](std::size_t i, std::size_t j) -> int& { return table[i * width + j]; };
    for (std::size_t i = 0; i <= a.size(); ++i)
        at(i, 0) = static_cast<int>(i);
    for (std::size_t j = 0; j <= b.size(); ++j)
        at(0, j) = static_cast<int>(j);
    for (std::size_t i = 1; i <= a.size(); ++i)
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (same ? 0 : 1)});
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
                at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
        }
    return at(a.size(), b.size());
}

std::string_view nearestWord(std::string_view word, std::span<const std::string_view> candidates) {
    constexpr std::size_t kLongestWord = 64; // nobody mistypes that much; the table is quadratic
    if (word.size() > kLongestWord)
        return {};
    std::string_view best;
    int fewest = 0;
    for (const auto candidate : candidates) {
        const int distance = editDistance(word, candidate);
        const int longer = static_cast<int>(std::max(word.size(), candidate.size()));
        const int most = std::min(longer - 1, std::max(1, longer / 3));
        if (distance <= most && (best.empty() || distance < fewest)) {
            best = candidate;
            fewest = distance;
        }
    }
    return best;
}

std::string nearestText(const std::vector<std::string>& texts) {
    std::string result;
    for (const auto& one : texts)
        result += (result.empty() ? "; nearest is “" : " or “") + one + "”";
    return result;
}

} // namespace headroom
