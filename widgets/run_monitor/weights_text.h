// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/run_monitor/run_table_model.h"

#include <QStringList>

namespace headroom::widgets {

/// Which weights an evaluation decoded with.
inline QString weightsWords(const QString& checkpoint) {
    return checkpoint == QLatin1String("best")   ? RunTableModel::tr("the best checkpoint")
           : checkpoint == QLatin1String("last") ? RunTableModel::tr("the last checkpoint")
                                                 : RunTableModel::tr("the exported model");
}

/// Of the runs that the scores are of, those that were evaluated on the split that is shown.
inline RunGroup evaluatedOf(const RunGroup& group) {
    RunGroup evaluated;
    if (const QString split = group.testSplit(); !split.isEmpty())
        for (const RunItem* run : group.scoredRuns())
            if (run->testSplit == split)
                evaluated.runs.push_back(*run);
    return evaluated;
}

/// Of the weights that the evaluated runs were evaluated with, those that are not the exported model: ", the best checkpoint".
inline QString otherWeights(const RunGroup& evaluated) {
    QStringList words;
    bool others = false;
    for (const RunItem& run : evaluated.runs) {
        others = others || run.testCheckpoint == QLatin1String("best") || run.testCheckpoint == QLatin1String("last");
        if (const QString one = weightsWords(run.testCheckpoint); !words.contains(one))
            words << one;
    }
    return others ? QStringLiteral(", ") + words.join(RunTableModel::tr(" and ")) : QString();
}

/// Of how many seeds an experiment's score is, unless it is of all: ", 1 of 2 seeds".
inline QString someSeeds(const RunGroup& group, int count) {
    return count < group.seeds() ? RunTableModel::tr(", %1 of %2 seeds").arg(count).arg(group.seeds()) : QString();
}

} // namespace headroom::widgets
