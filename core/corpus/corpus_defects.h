// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/corpus/corpus.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// What a defect means for the utterance.
enum class DefectKind {
    Unusable,   ///< it was left out, or its recording cannot be read
    Suspicious, ///< it is used; somebody should look
    ToKnow,
};

/// An utterance with a defect.
struct DefectiveUtterance {
    std::string id;       ///< empty: a whole file
    std::string split;    ///< empty: not in a table
    int index = -1;       ///< in the table of the split; −1: it was left out, so there is nothing to play
    std::string sentence; ///< the problem, with file and line
    double seconds = 0;   ///< its length; 0: unknown
};

/// One kind of defect with the utterances that have it.
struct CorpusDefect {
    std::string code; ///< "corpus.beyond"
    DefectKind kind = DefectKind::Suspicious;
    std::vector<DefectiveUtterance> utterances;
    double seconds = 0; ///< of those that are in a table
};

/// Returns a title of a few words for a code: "Segment beyond the recording". The code itself if it is
/// unknown.
std::string defectTitle(std::string_view code);
/// Returns "unusable", "suspicious" or "to know".
std::string_view defectWord(DefectKind kind);

/// Whether UTF-8 was once read as Latin-1 and written again: "Ã" or "Â" with a character from U+0080 to
/// U+00BF behind it.
bool looksMisread(std::string_view text);
/// Returns the first sound besides speech that a text names, with its brackets; empty if it names none. A sound is one or two words: in
/// round brackets with a capital, as in MuST-C ("(Applause)", "(Music ends)"), in others also without ("[noise]", "<laugh>"). What is
/// longer, or stands between round brackets and begins in lower case or has an abbreviation, is an aside that somebody speaks. An abbreviation
/// has up to four letters, all capitals ("(NATO)", but "(APPLAUSE)" is a sound), or a full stop before the end ("(Mr. Smith)"). A name alone,
/// "(Smith)", cannot be told from a sound.
std::string_view namedSound(std::string_view text);
/// Nobody speaks faster for a whole utterance; the text then belongs to another recording.
inline constexpr double kFastestSpeech = 8; ///< words per second

/// Returns the id that the sentence of a problem names (CorpusReading::problem); empty if it names none.
std::string idOfProblem(const CorpusProblem& problem);
/// Returns the rows of FOLDER/problems.tsv, which importCorpus writes; none if there is no such file or it is
/// none of ours.
std::vector<CorpusProblem> readProblems(const std::filesystem::path& folder);

} // namespace headroom
