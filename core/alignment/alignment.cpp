// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/text_grid.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace headroom {

namespace {

/// Less than this beyond the end is how a duration was rounded: cut, not worth a sentence.
constexpr double kRounding = 0.001;

/// "spk1 - Words " → "words"
std::string plainName(std::string_view name) {
    if (const auto dash = name.rfind(" - "); dash != std::string_view::npos)
        name.remove_prefix(dash + 3);
    std::string result;
    for (const char c : name)
        if (c != ' ' && c != '\t' && c != '"') // ELAN writes the quotes into the name
            result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return result;
}

struct Kind {
    std::array<const char*, 3> names;
    const char* what;
    const char* missing;
};

constexpr Kind kWords{{"words", "word", "word"}, "words", "alignment.noWords"};
constexpr Kind kPhones{{"phones", "phone", "phonemes"}, "phones", "alignment.noPhones"};

std::vector<Interval> tierOf(const TextGrid& grid, const Kind& kind, const std::string& name,
                             std::vector<Warning>& warnings) {
    const Tier* chosen = nullptr;
    std::size_t others = 0;
    for (const auto& tier : grid.tiers) {
        const auto plain = plainName(tier.name);
        if (tier.isPointTier || std::find(kind.names.begin(), kind.names.end(), plain) == kind.names.end())
            continue;
        if (chosen == nullptr)
            chosen = &tier;
        else
            ++others;
    }
    if (chosen == nullptr) {
        warnings.push_back({kind.missing, name + " has no tier of " + kind.what + "; none are shown."});
        return {};
    }
    if (others > 0)
        warnings.push_back({"alignment.manyTiers", name + " has " + std::to_string(others + 1) +
                                                       " tiers of " + kind.what + "; the first, “" +
                                                       chosen->name + "”, is shown."});
    return chosen->intervals;
}

Seconds lastEnd(const std::vector<Interval>& intervals) {
    return intervals.empty() ? Seconds(0) : intervals.back().end;
}

void cut(std::vector<Interval>& intervals, Seconds duration) {
    std::erase_if(intervals, [&](const Interval& interval) { return interval.start >= duration; });
    for (auto& interval : intervals)
        interval.end = std::min(interval.end, duration);
}

std::string rounded(Seconds time) {
    std::array<char, 48> buffer;
    std::snprintf(buffer.data(), buffer.size(), "%.2f", time.value());
    return buffer.data();
}

} // namespace

Alignment alignmentFrom(const TextGrid& grid, Seconds duration, const std::string& name) {
    Alignment result;
    result.warnings = grid.warnings;
    result.words = tierOf(grid, kWords, name, result.warnings);
    result.phones = tierOf(grid, kPhones, name, result.warnings);
    const auto end = std::max(lastEnd(result.words), lastEnd(result.phones));
    cut(result.words, duration);
    cut(result.phones, duration);
    if (end.value() > duration.value() + kRounding)
        result.warnings.push_back({"alignment.longer", name + " ends at " + rounded(end) +
                                                           " s, the recording at " + rounded(duration) +
                                                           " s; what lies beyond is left out."});
    return result;
}

} // namespace headroom
