// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/run_monitor/seed_statistics.h"

#include <QStringList>

#include <utility>
#include <vector>

namespace headroom::widgets {

/// "local 5–21, seed 2"; "local 5–21, seed 2, run 3" where an experiment has several with this seed.
QString runTitle(const RunItem& run);
/// A WER in per cent, a BLEU or a perplexity, without its unit; a loss: "5.49", "2.310".
QString scoreText(double score);
QString lossText(double loss);
/// "1.392 ± 0.001"; of one seed the value alone.
QString meanText(const SeedStatistics& value, int decimals);
/// Of which utterances of dev its WER and BLEU are, where they are not of all: "the first 40 of 63 utterances"; else empty.
QString decodedText(const RunItem& run);
QString decodedText(const RunGroup& group);
/// These texts, and the names of the experiments that have each.
using DecodedTexts = std::vector<std::pair<QString, QStringList>>;
void addDecoded(DecodedTexts& texts, const QString& text, const QString& name);
/// These texts of several experiments, "" for all utterances, with the names of those that have it; experiments without such a score
/// are left out.
DecodedTexts decodedTexts(const std::vector<const RunGroup*>& groups);
/// The same as a sentence for below a table or a figure; empty if all are of all utterances.
QString decodedNote(const DecodedTexts& texts);
/// Which weights a model has that a run exported, or an evaluation was of: "update 50", "mean of 3 checkpoints, the last of update 300"; empty: unknown.
QString exportedText(const ModelWeights& weights);
/// "The exported model is that of update 50, the best validation.": of a run that has come further since, and has not finished;
/// else empty.
QString earlierModelText(const RunItem& run);
/// "WER after the rules (sclite): 122.73 %": the second score of an evaluation with mapping rules; empty for NaN.
QString mappedWerText(double percent);
/// Returns the name of a state: "Running", "Finished" …
QString stateWord(RunState state);
/// "Running" where one runs or is paused, else the state that most needs somebody's eyes.
RunState stateOf(const RunGroup& group);
QString stateWord(const RunGroup& group); ///< of the run that the state is of
QString stateWord(const RunItem& run); ///< one that is paused, or waits elsewhere, does not run
/// "1 running, 1 without contact, 1 queued": the runs that go on or wait in the queue, by their state words; empty: none does.
QString goingOnText(const RunGroup& group);

/// Why an interrupted run ended is not known, but what is left of it is: "… stopped unexpectedly after update 50, before its first
/// checkpoint. …" `subject`: "The run", or its title.
QString interruptedText(const RunItem& run, const QString& subject);

} // namespace headroom::widgets
