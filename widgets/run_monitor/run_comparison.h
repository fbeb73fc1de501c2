// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/statistics/statistics.h"
#include "widgets/run_monitor/run_item.h"

namespace headroom::widgets {

/// On what its scores of development (WER, BLEU) were measured: task, corpus, split, and how many of its utterances were decoded.
/// Scores of two experiments can be compared if it is the same.
QString scoreSetOf(const RunGroup& group);
/// The same for its loss, which is of all utterances, and depends on the pieces and on what training minimises.
QString lossSetOf(const RunGroup& group);

/// Whether other experiments can be compared with this one: a run of it has finished with a score.
bool hasFinalScore(const RunGroup& group);

/// Whether its score is the loss: neither WER nor BLEU was measured.
bool comparesLosses(const RunGroup& reference);

/// Δ and p of the dev scores of an experiment against the reference, over the seeds that both have finished. NaN where there are none, where both were
/// scored on other texts (scoreSetOf, or lossSetOf where the loss is the score), and of the reference itself.
PairedTest against(const RunGroup& group, const RunGroup& reference);

} // namespace headroom::widgets
