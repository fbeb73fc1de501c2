// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"
#include "core/time/units.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// One labelled interval of an interval tier. The label is UTF-8; empty means silence in most tiers.
struct Interval {
    Seconds start, end;
    std::string label;
};

/// One labelled point of a point tier.
struct Point {
    Seconds time;
    std::string label;
};

struct Tier {
    std::string name;
    bool isPointTier = false;
    std::vector<Interval> intervals; ///< interval tiers: ordered, not overlapping
    std::vector<Point> points;       ///< point tiers: ordered
};

/// A Praat TextGrid. A value.
struct TextGrid {
    Seconds start, end;
    std::vector<Tier> tiers;
    std::vector<Warning> warnings;
};

/// Reads the long and the short text format in UTF-8 (with or without BOM) or UTF-16 of both byte orders,
/// with LF, CRLF or CR. Trusts no size.
///
/// Throws Error with file and line: "alignment.missing", "alignment.empty", "alignment.notTextGrid",
/// "alignment.badNumber", "alignment.reversed" (an interval that ends before it starts), "alignment.overlap",
/// "alignment.truncated", "alignment.badSize" (a count that the file cannot hold), "alignment.badText".
TextGrid readTextGrid(const std::filesystem::path& file);
/// Parses bytes in the same way; `name` is used in error messages.
TextGrid parseTextGrid(std::string_view bytes, const std::string& name);
/// Returns the long text format in UTF-8.
std::string textOf(const TextGrid& grid);
/// Writes textOf(), atomically. Throws Error "alignment.unwritable".
void writeTextGrid(const std::filesystem::path& file, const TextGrid& grid);

/// What the built-in aligner says of itself where its text may not match the recording, instead of an accuracy.
inline constexpr std::string_view kDoubtfulOrigin = "built-in aligner; the text may not match the recording";

/// The words and phones of one utterance. Either list may be empty.
struct Alignment {
    std::vector<Interval> words;
    std::vector<Interval> phones;
    std::vector<Warning> warnings;
    Seconds fileEnd;   ///< end of the file before it was cut; 0 if unknown
    Seconds spokenEnd; ///< end of the last word or phone that is not silence, before it was cut
    /// Who made it and how accurate it is, a phrase such as "built-in aligner, median error 25 ms on real
    /// speech (LibriSpeech sample)"; empty if unknown. In a TextGrid, the one label of a tier named `origin`.
    std::string origin;
};

/// Selects the tiers named words/word and phones/phone/phonemes in any case, also with an MFA speaker prefix
/// ("A - words"). A missing tier gives an empty list and a Warning "alignment.noPhones" or
/// "alignment.noWords". Intervals that start after `duration` are dropped and those beyond it cut, with a
/// Warning "alignment.longer" that contains both numbers. kDoubtfulOrigin gives a Warning "align.doubtful".
Alignment alignmentFrom(const TextGrid& grid, Seconds duration, const std::string& name);

} // namespace headroom
