// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/run_monitor/seed_statistics.h"

namespace headroom::widgets {

/// An experiment's result on one split, over the runs that its numbers are of.
struct EvaluatedResult {
    std::string task;
    SeedStatistics score, mapped; ///< `mapped`: after mapping rules
    QString weights;              ///< with which weights, where some are not of the exported model; else empty
    int order = 0;                ///< as EvaluatedScore::order
    int seeds = 0;                ///< of the experiment: the score may be of fewer
    bool recognises() const;
};
EvaluatedResult resultOn(const RunGroup& group, const QString& split);
/// As it is printed, without its measure: "5.49 ± 0.12"; "…, the best checkpoint, 1 of 2 seeds" where it is not of all.
QString valueText(const EvaluatedResult& result);
/// "5.49 % WER, test": nothing else in the row says of what the number is.
QString resultText(const RunGroup& group, const QString& split);
/// "WER", "BLEU", "PPL".
QString measureWord(const std::string& task);

/// Which weights an evaluation decoded with.
QString weightsWords(const QString& checkpoint);

} // namespace headroom::widgets
