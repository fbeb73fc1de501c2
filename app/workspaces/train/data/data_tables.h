// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/corpus/corpus_summary.h"
#include "core/studies/table.h"

#include <QString>

namespace headroom::app {

// The tables and sentences of the Data view. Pure.

/// Split, hours (minutes if the corpus has less than an hour; neither of parallel text), utterances, speakers; a row for each split.
StudyTable splitsTable(const CorpusSummary& summary);
/// Defect, what it means, utterances, hours or minutes; a row for each kind.
StudyTable defectsTable(const CorpusSummary& summary);
/// An empty column for the play button, id, split, length, text, problem; a row for each of the first
/// kMostShown.
StudyTable defectiveTable(const CorpusDefect& defect, const Corpus& corpus, const std::string& task);
inline constexpr std::size_t kMostShown = 5000;

/// "3.2 h", "41.0 min".
QString hoursText(double seconds);
/// The name of a split in a sentence: quoted where it reads as a word ("226 of all").
QString splitName(const std::string& split);
/// "left out: 21 too short, 384 too long, 3.8 h; 1 too long by the table (unusable recording)"; empty if no length is outside.
QString leftOutText(const LeftOutFacts& left);
/// "35 in dev, 5 also in other splits".
QString speakersText(const CorpusSummary& summary, const SplitFacts& split);
/// "en"; empty if the corpus does not say it.
QString languageName(const std::string& language);
/// The same of one of `count` texts; of two, source and target, what the corpus does not say is "source" and "target".
QString textName(const std::string& language, std::size_t at, std::size_t count);
/// "en → de", "en → not stated", "not stated".
QString languagesText(const CorpusSummary& summary);
/// "en 2.71, de 2.52 per second".
QString ratesText(const SplitFacts& split);
/// "en 54,211, de 167,380 in train; not in training: dev en 0.9 %, dev de 2.6 %".
QString vocabularyShares(const CorpusSummary& summary, const SplitFacts& shown);
/// The same and what is counted: "… different words in train; not in training, of all words: …; counted as in WER …".
QString vocabularyText(const CorpusSummary& summary, const SplitFacts& shown);
/// "train: 229,703 utterances, 400.0 h."; without a time where there are no recordings.
QString splitText(const SplitFacts& split);
/// Of a recipe that reads text: what its limits count.
QString tokenLimitsText();
/// "train: 229,703 utterances, 400.0 h. The recipe leaves out 1,023: 384 too long, 639 without text."
QString statusText(const SplitFacts& split, const LengthLimits& limits, bool changed = false);

} // namespace headroom::app
