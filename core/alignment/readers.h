// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/text_grid.h"

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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

/// What a list may call an utterance.
struct NamesInLists {
    NamesInLists(const char* name) : names{name} {}             // NOLINT(google-explicit-constructor): one name is all of them
    NamesInLists(std::string name) : names{std::move(name)} {}  // NOLINT(google-explicit-constructor)
    /// Its id in a corpus, then the stem of its recording. A part of a file has its id alone, because its times are its own; an
    /// empty id is none.
    NamesInLists(const std::string& id, const std::filesystem::path& recording);

    std::vector<std::string> names; ///< the first one that a list has counts; not empty
};

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
/// - `utterance`: a list is searched for each of its names, and for the part of it after the last slash. A file that names no
///   utterance is taken to be about this one.
/// - Errors: those of the readers, "alignment.missing", and "alignment.notListed" (the list contains only
///   others).
/// - Caches the last eight lists while they are unchanged on disk, so a thousand utterances read a list once.
/// - Thread-safe; blocks.
Alignment readAlignment(const std::filesystem::path& file, const NamesInLists& utterance, Seconds duration);

/// Finds the alignment of a recording: a file with its stem beside it or in the folder `alignments` beside it
/// (.TextGrid, .ctm, .tsv, .csv, .phn, in this order), otherwise a list in one of the two folders (*.ctm,
/// *.alignment.txt, *.tsv or *.csv) that contains its stem. Returns an empty path if there is none. Blocks.
std::filesystem::path alignmentBeside(const std::filesystem::path& recording);
/// Returns the file name endings of an alignment of one recording, in search order.
std::span<const char* const> alignmentSuffixes();
/// Returns the lists in a folder, those of phones first. Tables count only in a folder named `alignments`.
std::vector<std::filesystem::path> alignmentListsIn(const std::filesystem::path& folder);
/// Returns whether a list can be read and contains the utterance, by the rules of readAlignment. If the file names no utterance,
/// its own name says whose it is.
bool isListed(const std::filesystem::path& list, const NamesInLists& utterance);
/// Returns whether a file is about one recording that it does not name: a TextGrid, TIMIT's, or a table without such a column.
bool isOfOneRecording(const std::filesystem::path& file);
/// Returns why a file is no alignment of any format, as one sentence; `nullopt` if it is one. A TextGrid is judged by its name.
std::optional<std::string> whyNoAlignment(const std::filesystem::path& file);
/// Returns whether a file may be an alignment, judged by its name.
bool looksLikeAlignment(const std::filesystem::path& file);

/// Returns a TextGrid with both tiers from 0 to `duration`, for writeTextGrid.
TextGrid textGridOf(const Alignment& alignment, Seconds duration);

} // namespace headroom
