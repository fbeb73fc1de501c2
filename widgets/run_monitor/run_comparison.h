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

/// Whether this one is compared with other experiments: by bold type as well as by Δ and p. A run of it has finished with a score. The best
/// of one that goes on or was stopped may still come.
bool hasFinalScore(const RunGroup& group);

/// Whether its score is the loss: neither WER nor BLEU was measured.
bool comparesLosses(const RunGroup& reference);

/// Why an experiment has no Δ and p against the reference, as a sentence; empty: it has. Null: there is no reference.
QString whyNotCompared(const RunGroup& group, const RunGroup* reference);

/// Δ and p of the dev scores of an experiment against the reference, over the seeds that both have finished. NaN where whyNotCompared has a
/// reason: there are no such seeds, both were scored on other texts (scoreSetOf, or lossSetOf where the loss is the score), or it is the
/// reference itself.
PairedTest against(const RunGroup& group, const RunGroup& reference);

} // namespace headroom::widgets
