// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/scoring/mapping_rules.h"
#include "training/scoring/sclite.h"
#include "training/worker/commands.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace headroom::training {

/// A hypothesis beside its references, line by line; of .trn transcripts in the references' order.
struct ScoredText {
    std::string hypothesis; ///< the file
    std::vector<std::string> references, hypotheses;
    std::vector<TrnLine> trnReferences, trnHypotheses; ///< empty unless the files are .trn
    std::vector<std::string> speakers{}; ///< of each line; empty if nobody asked
};

/// The file beside references and hypotheses that names the utterance of each line and its speaker: a table with the
/// columns id and speaker, as `evaluate` writes it.
inline constexpr const char* kScoredUtterances = "utterances.tsv";

/// sclite's alignments of the text. Lines of plain text are utterances "line_1", "line_2" … of one speaker.
std::vector<ScliteUtterance> scliteUtterances(const ScoredText& text, const ScliteOptions& options);

/// Reads a global mapping file. Throws Error "scoring.missing" and "scoring.glm".
MappingRules readMappingRules(const std::filesystem::path& file);
/// Changes the texts of utterances by the rules.
void applyRules(const MappingRules& rules, std::vector<TrnLine>& lines, bool caseSensitive);

/// Errors as they stand in documents: `percent` (null without a word), `errors`, `referenceWords`, `hits` …
nlohmann::json countsDocument(const WordErrors& total);

/// Prints one metric and returns it as JSON. `metric`: of metricNames().
nlohmann::json scoreText(const ScoredText& text, const std::string& metric, const ScoreOptions& options,
                         Console& console);
/// Prints the paired test between two systems and returns it as JSON: MAPSSWE for errors of words and
/// characters, approximate randomisation or the paired bootstrap for other metrics.
nlohmann::json compareTexts(const ScoredText& baseline, const ScoredText& system, const std::string& metric,
                            const ScoreOptions& options, Console& console);

} // namespace headroom::training
