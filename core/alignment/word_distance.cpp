// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/word_distance.h"

#include "core/alignment/phones.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace headroom {

namespace {

struct ComparedWords {
    std::vector<std::string> labels;
    std::vector<std::size_t> places; ///< of each label in the intervals
};

ComparedWords comparedWords(std::span<const Interval> intervals) {
    ComparedWords result;
    for (std::size_t place = 0; place < intervals.size(); ++place) {
        if (isSilence(intervals[place].label))
            continue;
        std::string word = comparedWord(intervals[place].label);
        if (word.empty()) // punctuation alone
            continue;
        result.labels.push_back(std::move(word));
        result.places.push_back(place);
    }
    return result;
}

bool isPunctuation(char c) {
    return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
           (c >= '{' && c <= '~');
}

} // namespace

std::vector<std::pair<std::size_t, std::size_t>> matchingLabels(std::span<const std::string> left,
                                                                std::span<const std::string> right) {
    const std::size_t columns = right.size() + 1;
    std::vector<std::uint32_t> cost((left.size() + 1) * columns);
    const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& { return cost[i * columns + j]; };
    const auto replaced = [&](std::size_t i, std::size_t j) {
        return at(i - 1, j - 1) + (left[i - 1] == right[j - 1] ? 0 : 1);
    };
    for (std::size_t i = 0; i <= left.size(); ++i)
        for (std::size_t j = 0; j < columns; ++j)
            at(i, j) = i == 0   ? static_cast<std::uint32_t>(j)
                       : j == 0 ? static_cast<std::uint32_t>(i)
                                : std::min({replaced(i, j), at(i - 1, j) + 1, at(i, j - 1) + 1});
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t i = left.size(), j = right.size(); i > 0 && j > 0;) {
        if (at(i, j) == replaced(i, j)) {
            if (left[i - 1] == right[j - 1])
                pairs.emplace_back(i - 1, j - 1);
            --i;
            --j;
        } else if (at(i, j) == at(i - 1, j) + 1) {
            --i;
        } else {
            --j;
        }
    }
    std::reverse(pairs.begin(), pairs.end());
    return pairs;
}

std::string comparedWord(const std::string& label) {
    std::size_t first = 0, last = label.size();
    while (first < last && isPunctuation(label[first]))
        ++first;
    while (last > first && isPunctuation(label[last - 1]))
        --last;
    std::string word = label.substr(first, last - first);
    for (char& c : word)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return word;
}

WordDistance wordDistance(std::span<const Interval> found, std::span<const Interval> reference) {
    const ComparedWords left = comparedWords(found), right = comparedWords(reference);
    WordDistance distance;
    double sum = 0;
    for (const auto& [i, j] : matchingLabels(left.labels, right.labels)) {
        const Interval &ours = found[left.places[i]], &theirs = reference[right.places[j]];
        distance.words.push_back(
            {left.places[i], right.places[j], ours.start - theirs.start, ours.end - theirs.end});
        sum += std::abs(distance.words.back().start.value()) + std::abs(distance.words.back().end.value());
    }
    if (!distance.words.empty())
        distance.mean = sum / (2 * static_cast<double>(distance.words.size()));
    return distance;
}

} // namespace headroom
