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

/// One thing that is not as it should be in an alignment, with its place.
struct AlignmentFinding {
    enum class Severity {
        Warning, ///< to know; the utterance counts
        Error,   ///< a study of phones would be wrong: it leaves the utterance out
    };
    enum class Tier { None, Words, Phones };
    Severity severity = Severity::Warning;
    std::string code;     ///< "alignment.longer" …; the list is in README.md
    std::string sentence; ///< names the number that proves it; not the file
    Seconds start, end;   ///< where to look; equal: a moment. Inside the recording
    Tier tier = Tier::None;
    std::string label; ///< of the interval, where it is about one
};

/// What was found, and the numbers it was found with. NaN: not measured.
struct AlignmentReport {
    std::vector<AlignmentFinding> findings; ///< errors first; each in the order of time
    std::int64_t words = 0, phones = 0;     ///< spoken ones
    double coverage = 0;  ///< of the time that sounds like speech, the share inside a phone; needs samples
    double fit = 0;       ///< how well sound and labels go together, −1 … 1; needs samples (README.md)
    LabelCounts labels;   ///< of the phones
    bool usable() const { ///< no error: may be studied
        return findings.empty() || findings.front().severity != AlignmentFinding::Severity::Error;
    }
    /// The first error's sentence, for the row of an utterance that is left out; empty where it is usable.
    std::string reason() const;
};

/// Which rules checkAlignment follows. What was studied is kept under it: raise it whenever another alignment
/// becomes an error, or one no longer is.
inline constexpr int kAlignmentRules = 1;

/// Checks an alignment before phones are studied: its length against the recording's, phones missing,
/// unknown, of no length, in a row that is too long, beside their words, speech without phones and phones
/// without speech. `samples`: 16 kHz mono; empty: what needs the sound is not checked. Pure; some
/// milliseconds for a minute.
AlignmentReport checkAlignment(const Alignment& alignment, Seconds duration, const PhoneMap& map,
                               std::span<const float> samples = {});

/// An alignment that was read and checked, or what kept it from being read, as one report.
struct CheckedAlignment {
    std::optional<Alignment> alignment;
    AlignmentReport report;
};
/// readAlignment, then checkAlignment; a file that cannot be read is an error of the report, at its place
/// where it has one. Throws nothing. Safe from every thread; blocks.
CheckedAlignment readCheckedAlignment(const std::filesystem::path& file, const std::string& utterance,
                                      Seconds duration, const PhoneMap& map,
                                      std::span<const float> samples = {});

} // namespace headroom
