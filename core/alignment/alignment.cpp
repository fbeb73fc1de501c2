// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/list_text.h"
#include "core/alignment/phones.h"
#include "core/alignment/text_grid.h"
#include "core/time/seconds_text.h"

#include <algorithm>
#include <array>

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

/// The label of the tier that says who made this (Alignment::origin).
std::string originOf(const TextGrid& grid) {
    for (const auto& tier : grid.tiers)
        if (!tier.isPointTier && plainName(tier.name) == "origin")
            for (const auto& interval : tier.intervals)
                if (!interval.label.empty())
                    return interval.label;
    return {};
}

Seconds lastEnd(const std::vector<Interval>& intervals) {
    return intervals.empty() ? Seconds(0) : intervals.back().end;
}

Seconds lastSpoken(const std::vector<Interval>& intervals) {
    for (auto at = intervals.rbegin(); at != intervals.rend(); ++at)
        if (!isSilence(at->label))
            return at->end;
    return Seconds(0);
}

void cut(std::vector<Interval>& intervals, Seconds duration) {
    std::erase_if(intervals, [&](const Interval& interval) { return interval.start >= duration; });
    for (auto& interval : intervals)
        interval.end = std::min(interval.end, duration);
}

} // namespace

void cutTo(Alignment& alignment, Seconds duration, const std::string& name) {
    const auto end = std::max(lastEnd(alignment.words), lastEnd(alignment.phones));
    alignment.spokenEnd = std::max(lastSpoken(alignment.words), lastSpoken(alignment.phones));
    cut(alignment.words, duration);
    cut(alignment.phones, duration);
    if (end.value() > duration.value() + kRounding)
        alignment.warnings.push_back({"alignment.longer", name + " ends at " + secondsText(end) + ", the recording at " +
                                                              secondsText(duration) + "; the rest is ignored."});
}

Alignment alignmentFrom(const TextGrid& grid, Seconds duration, const std::string& name) {
    Alignment result;
    result.warnings = grid.warnings;
    result.words = tierOf(grid, kWords, name, result.warnings);
    result.phones = tierOf(grid, kPhones, name, result.warnings);
    result.origin = originOf(grid);
    if (result.origin == kDoubtfulOrigin)
        result.warnings.push_back({"align.doubtful", "The text of " + name + " may not match the recording: the built-in aligner found "
                                                     "its phones unlikely. Check the text and align again."});
    result.fileEnd = std::max({grid.end, lastEnd(result.words), lastEnd(result.phones)});
    cutTo(result, duration, name);
    return result;
}

} // namespace headroom
