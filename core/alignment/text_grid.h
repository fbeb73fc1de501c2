// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"
#include "core/time/units.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headroom {

/// One labelled span of an interval tier. Label in UTF-8; empty = silence in most tiers.
struct Interval {
    Seconds start, end;
    std::string label;
};

/// One labelled moment of a point tier.
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

/// Reads long and short text format, UTF-8 (with or without BOM) and UTF-16 of both byte orders; LF, CRLF,
/// CR.
///
/// Throws Error that names file and line: "alignment.missing", "alignment.empty", "alignment.notTextGrid",
/// "alignment.badNumber", "alignment.reversed" (an interval that ends before it starts), "alignment.overlap",
/// "alignment.truncated", "alignment.badSize" (a count that the file cannot hold), "alignment.badText".
/// Trusts no size.
TextGrid readTextGrid(const std::filesystem::path& file);
/// The same from bytes; `name` stands in the sentences.
TextGrid parseTextGrid(std::string_view bytes, const std::string& name);
/// Long text format, UTF-8, atomically. Throws Error "alignment.unwritable".
void writeTextGrid(const std::filesystem::path& file, const TextGrid& grid);

/// The words and phones of one utterance, as the window shows them. Either list may be empty.
struct Alignment {
    std::vector<Interval> words;
    std::vector<Interval> phones;
    std::vector<Warning> warnings;
    Seconds fileEnd;   ///< where the file says that it ends, before it was cut; 0: it does not say
    Seconds spokenEnd; ///< of the last word or phone that is no silence, before it was cut
    /// Who made it and how good that is, a part of a sentence: "built-in aligner, median error 25 ms on real
    /// speech (LibriSpeech sample)". Empty: not known. In a TextGrid the one label of a tier named `origin`.
    std::string origin;
};

/// Picks the tiers: named words/word and phones/phone/phonemes in any case, also with an MFA speaker prefix
/// ("A - words"); a grid without such a name gives the empty list and a Warning "alignment.noPhones" /
/// "alignment.noWords". Intervals that begin after `duration` are left out and those beyond it cut, with a
/// Warning "alignment.longer" that names both numbers.
Alignment alignmentFrom(const TextGrid& grid, Seconds duration, const std::string& name);

} // namespace headroom
