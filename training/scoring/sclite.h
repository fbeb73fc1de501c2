// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/scoring/line_statistics.h"
#include "training/scoring/word_error_rate.h"

#include <string>
#include <string_view>
#include <vector>

// Word errors as NIST's sclite counts them: its own alignment, its transcripts, its speakers.
namespace headroom::training {

enum class WordEdit : char { Correct = 'C', Substitution = 'S', Deletion = 'D', Insertion = 'I' };

/// A pair of an alignment; one side is empty for a deletion or an insertion.
struct AlignedWord {
    std::string reference, hypothesis;
    WordEdit edit;
};

/// The alignment of least cost: 4 for a substitution, 3 for a deletion or an insertion. It may have more
/// errors than the Levenshtein distance (`compareWords`). Of equal alignments the one that, from the end,
/// prefers pairs, then insertions. Throws Error "scoring.tooLong" beyond 10⁸ cells. Pure.
std::vector<AlignedWord> scliteAlignment(std::span<const std::string> reference,
                                         std::span<const std::string> hypothesis);
WordErrors errorsOf(const std::vector<AlignedWord>& alignment);

struct ScliteOptions {
    bool caseSensitive = false; ///< -s; otherwise A to Z are folded, and no other letters, as in sclite
    bool characters = false;    ///< -c: aligns characters, without spaces
};

struct ScliteUtterance {
    std::string id, speaker; ///< speaker: the id up to its first "-" or "_"
    std::vector<AlignedWord> words;
    WordErrors errors;
};

/// An utterance of a transcript: "TEXT (SPEAKER_NUMBER)".
struct TrnLine {
    std::string id, text;
};
/// Reads a .trn transcript. Lines that begin with ";;" are comments. Throws Error "scoring.badTrn", which
/// names `name` and the line, for a line without an id, or an id that occurs twice.
std::vector<TrnLine> parseTrn(std::string_view text, const std::string& name);

/// Aligns transcripts by id, in the order of the references. The transcript's syntax holds: what follows ";"
/// in a word is an attribute, "@" is no word, and "{ a / b }" are alternatives, of which the best counts.
/// Throws Error "scoring.trnIds" if an id lacks its counterpart, "scoring.badTrn" for open braces or too many
/// alternatives.
std::vector<ScliteUtterance> scliteScore(const std::vector<TrnLine>& references,
                                         const std::vector<TrnLine>& hypotheses,
                                         const ScliteOptions& options = {});

/// Aligns plain lines, without the syntax of transcripts. Ids are "line_1", "line_2" … Throws Error
/// "scoring.lines" if the numbers of lines differ.
std::vector<ScliteUtterance> scliteScoreLines(std::span<const std::string> references,
                                              std::span<const std::string> hypotheses,
                                              const ScliteOptions& options = {});

/// Correct, substituted, deleted and inserted words of each utterance; the score is the error rate in per
/// cent.
LineStatistics wordErrorStatistics(const std::vector<ScliteUtterance>& utterances);

} // namespace headroom::training
