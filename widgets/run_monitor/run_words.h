// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/run_monitor/run_item.h"

#include <QFontMetrics>

namespace headroom::widgets {

/// "local 5–21, seed 2"; "local 5–21, seed 2, run 3" where an experiment has several with this seed.
QString runTitle(const RunItem& run);
/// A title with the seed in it, as it fits into `width` pixels: the middle of what is before the seed is cut first, so that seeds
/// stay apart, and runs that differ in the changes at its end, "400 updates".
QString fittedTitle(const QString& title, const QFontMetrics& metrics, int width);
/// A WER in per cent, a BLEU or a perplexity, without its unit; a loss: "5.49", "2.310".
QString scoreText(double score);
QString lossText(double loss);
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
