// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/phone_map.h"
#include "core/alignment/text_grid.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headroom {

struct NamesInLists; ///< readers.h

/// One problem of an alignment, with its place.
struct AlignmentFinding {
    enum class Severity {
        Warning, ///< for information; the utterance counts
        Error,   ///< would make a study of phones wrong: the utterance is left out
    };
    enum class Tier { None, Words, Phones };
    Severity severity = Severity::Warning;
    std::string code;     ///< "alignment.longer" …; the list is in README.md
    std::string sentence; ///< contains the number that proves it, but not the file
    Seconds start, end;   ///< where to look, inside the recording; equal for a point in time
    Tier tier = Tier::None;
    std::string label; ///< of the interval, if the finding concerns one
};

/// The findings, and the measurements behind them. NaN: not measured.
struct AlignmentReport {
    std::vector<AlignmentFinding> findings; ///< errors first; each kind ordered by time
    std::int64_t words = 0, phones = 0;     ///< without silence
    double coverage = 0;  ///< share of the time that sounds like speech and is inside a phone; needs samples
    double fit = 0;       ///< correlation of audio and labels, −1 … 1; needs samples (README.md)
    LabelCounts labels;   ///< of the phones
    bool usable() const { ///< no error, so it can be studied
        return findings.empty() || findings.front().severity != AlignmentFinding::Severity::Error;
    }
    /// Returns the sentence of the first error, for the row of a left-out utterance; empty if usable.
    std::string reason() const;
};

/// Version of the rules of checkAlignment, part of the cache key of measurements. Increase it whenever an
/// alignment becomes an error or stops being one.
inline constexpr int kAlignmentRules = 1;

/// Checks an alignment before phones are studied: its length against the recording's; missing, unknown,
/// zero-length and overlong phones; phones against words; speech without phones, and phones without speech.
/// `samples`: 16 kHz mono; if empty, checks that need audio are skipped. Pure; takes some milliseconds per
/// minute of audio.
AlignmentReport checkAlignment(const Alignment& alignment, Seconds duration, const PhoneMap& map,
                               std::span<const float> samples = {});

/// An alignment that was read and checked, or the error that prevented reading it, as one report.
struct CheckedAlignment {
    std::optional<Alignment> alignment;
    AlignmentReport report;
};
/// Calls readAlignment, then checkAlignment. An unreadable file becomes an error of the report, with its
/// place if known. Never throws. Thread-safe; blocks.
CheckedAlignment readCheckedAlignment(const std::filesystem::path& file, const NamesInLists& utterance,
                                      Seconds duration, const PhoneMap& map,
                                      std::span<const float> samples = {});

} // namespace headroom
