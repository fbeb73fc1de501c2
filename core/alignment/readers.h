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

/// The formats of alignments. README.md has what each looks like.
enum class AlignmentFormat {
    TextGrid,    ///< Praat, MFA, ELAN
    Ctm,         ///< NIST, Kaldi: utterance channel start duration label [confidence]
    Table,       ///< tab- or comma-separated with a header; Audacity's labels without one
    LibriSpeech, ///< ID ",WORD,,WORD," "0.5,0.8,1.2,1.9"
    Timit,       ///< .phn, .wrd: first sample, last sample, label
};

/// One utterance of a list, as it stands in the file: uncut, in the order of time.
struct ListedAlignment {
    std::vector<Interval> words, phones;
    std::vector<Warning> warnings;
    std::optional<Error> error; ///< this utterance cannot be read; the others of the file can
};
/// By the name that the file gives; "" where the file is about one recording and names none.
using AlignmentList = std::map<std::string, ListedAlignment>;

/// The content decides, the name only between what looks alike. Nothing for what is none of them.
std::optional<AlignmentFormat> alignmentFormat(std::string_view bytes, const std::string& name);
/// UTF-8 or UTF-16; LF, CRLF, CR. Every format but TextGrid. Whether a CTM or a table without a tier's column
/// holds words or phones is told by its name (“phone”, “word”), else by its labels. Throws Error that names
/// file and line: "alignment.empty", "alignment.badText", "alignment.noColumn", "alignment.badRow",
/// "alignment.badNumber", "alignment.notAlignment"; what is wrong with one utterance ("alignment.reversed",
/// "alignment.overlap", "alignment.badSize") is in its error. Trusts no size.
AlignmentList parseAlignmentList(std::string_view bytes, const std::string& name);

/// The words and phones of one utterance from a file of any format. `utterance`: its id, or the stem of the
/// recording; a list is searched for it, then for its last part behind a slash. Cut to `duration` as by
/// alignmentFrom. Throws what the readers throw, and "alignment.missing", "alignment.notListed" (the list
/// holds others). Lists stay in memory while they do not change on disk (the last eight files), so asking for
/// a thousand utterances reads a list once. Safe from every thread; blocks.
Alignment readAlignment(const std::filesystem::path& file, const std::string& utterance, Seconds duration);

/// What belongs to a recording: a file with its stem beside it or in the folder `alignments` beside it
/// (.TextGrid, .ctm, .tsv, .csv, .phn, in this order), else a list in one of the two folders (*.ctm,
/// *.alignment.txt, *.tsv or *.csv) that has its stem. Empty where there is none. Blocks.
std::filesystem::path alignmentBeside(const std::filesystem::path& recording);
/// The endings of an alignment of one recording, in the order in which they are looked for.
std::span<const char* const> alignmentSuffixes();
/// The lists of a folder, those of phones first; tables only where it is called `alignments`.
std::vector<std::filesystem::path> alignmentListsIn(const std::filesystem::path& folder);
/// Whether a list can be read and has the utterance, as readAlignment looks for it.
bool isListed(const std::filesystem::path& list, const std::string& utterance);
/// Whether a file may be an alignment by its name alone.
bool looksLikeAlignment(const std::filesystem::path& file);

/// Both tiers, from 0 to `duration`, as writeTextGrid takes them.
TextGrid textGridOf(const Alignment& alignment, Seconds duration);

} // namespace headroom
