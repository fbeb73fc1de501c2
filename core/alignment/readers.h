// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/text_grid.h"

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// The file formats of alignments; README.md describes each.
enum class AlignmentFormat {
    TextGrid,    ///< Praat, MFA, ELAN
    Ctm,         ///< NIST, Kaldi: utterance channel start duration label [confidence]
    Table,       ///< tab- or comma-separated with a header; Audacity's labels without one
    LibriSpeech, ///< ID ",WORD,,WORD," "0.5,0.8,1.2,1.9"
    Timit,       ///< .phn, .wrd: first sample, last sample, label; parsed as of 16 kHz
};

/// One utterance of a list, as in the file: uncut, ordered by time.
struct ListedAlignment {
    std::vector<Interval> words, phones;
    std::vector<Warning> warnings;
    std::optional<Error> error; ///< this utterance cannot be read; others in the file can
};
/// Alignments by the utterance's name in the file; "" if the file has one recording and names none.
using AlignmentList = std::map<std::string, ListedAlignment>;

/// Detects the format by content, and by name only if formats look alike. Returns `nullopt` if none matches.
std::optional<AlignmentFormat> alignmentFormat(std::string_view bytes, const std::string& name);
/// Parses every format except TextGrid, in UTF-8 or UTF-16, with LF, CRLF or CR. If a CTM or a table has no
/// tier column, its name (“phone”, “word”) or otherwise its labels decide between words and phones.
///
/// Throws Error with file and line: "alignment.empty", "alignment.badText", "alignment.noColumn",
/// "alignment.badRow", "alignment.badNumber", "alignment.notAlignment". Errors of one utterance
/// ("alignment.reversed", "alignment.overlap", "alignment.badSize") are stored in its `error`. Trusts no
/// size.
AlignmentList parseAlignmentList(std::string_view bytes, const std::string& name);

/// Reads the words and phones of one utterance from a file of any format, cut to `duration` as by
/// alignmentFrom. TIMIT's samples are those of the recording of its name, found as alignmentBeside() finds the alignment.
/// - `utterance`: its id, or the stem of the recording. A list is searched for it, then for its part after
///   the last slash.
/// - Errors: those of the readers, "alignment.missing", and "alignment.notListed" (the list contains only
///   others).
/// - Caches the last eight lists while they are unchanged on disk, so a thousand utterances read a list once.
/// - Thread-safe; blocks.
Alignment readAlignment(const std::filesystem::path& file, const std::string& utterance, Seconds duration);

/// Finds the alignment of a recording: a file with its stem beside it or in the folder `alignments` beside it
/// (.TextGrid, .ctm, .tsv, .csv, .phn, in this order), otherwise a list in one of the two folders (*.ctm,
/// *.alignment.txt, *.tsv or *.csv) that contains its stem. Returns an empty path if there is none. Blocks.
std::filesystem::path alignmentBeside(const std::filesystem::path& recording);
/// Returns the file name endings of an alignment of one recording, in search order.
std::span<const char* const> alignmentSuffixes();
/// Returns the lists in a folder, those of phones first. Tables count only in a folder named `alignments`.
std::vector<std::filesystem::path> alignmentListsIn(const std::filesystem::path& folder);
/// Returns whether a list can be read and contains the utterance, by the rules of readAlignment.
bool isListed(const std::filesystem::path& list, const std::string& utterance);
/// Returns whether a file may be an alignment, judged by its name.
bool looksLikeAlignment(const std::filesystem::path& file);

/// Returns a TextGrid with both tiers from 0 to `duration`, for writeTextGrid.
TextGrid textGridOf(const Alignment& alignment, Seconds duration);

} // namespace headroom
