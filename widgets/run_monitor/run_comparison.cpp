// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run_monitor/run_comparison.h"

#include "widgets/run_monitor/run_table_model.h"
#include "widgets/run_monitor/seed_statistics.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

namespace {

bool hasEnded(const RunItem& run) {
    return run.info.state == RunState::Finished;
}

/// The score of an experiment's task: word errors, BLEU, or the loss if neither was measured.
double (RunItem::*scoreOf(const RunGroup& group))() const {
    auto score = group.runs.front().translates() ? &RunItem::bestBleu : &RunItem::bestWer;
    return std::isfinite(overSeeds(group, score).mean) ? score : &RunItem::bestLoss;
}

QString devSetOf(const RunItem& run) {
    return QStringList{run.task, QString::fromStdString(run.info.data), run.devSplit}.join(u'\n');
}

} // namespace

QString scoreSetOf(const RunGroup& group) {
    // All of a split, or more than it has, are as many; a run tells once it was validated.
    const auto told = std::ranges::find_if(group.runs, [](const RunItem& run) { return std::isfinite(run.best("decoded")); });
    const RunItem& run = told == group.runs.end() ? group.runs.front() : *told;
    return QStringList{devSetOf(run), QStringLiteral("decoded %1").arg(run.decodedUtterances())}.join(u'\n');
}

QString lossSetOf(const RunGroup& group) {
    const RunItem& run = group.runs.front();
    return QStringList{devSetOf(run), run.lossMeasure}.join(u'\n');
}

bool hasFinalScore(const RunGroup& group) {
    const auto score = scoreOf(group);
    return std::ranges::any_of(newestOfSeeds(group, hasEnded), [&](const RunItem* run) { return std::isfinite((run->*score)()); });
}

bool comparesLosses(const RunGroup& reference) {
    return scoreOf(reference) == &RunItem::bestLoss;
}

QString whyNotCompared(const RunGroup& group, const RunGroup* reference) {
    if (!reference)
        return RunTableModel::tr("No Δ: there is no reference yet. Tick an experiment that has finished with a score.");
    if (group.key == reference->key)
        return RunTableModel::tr("No Δ: this is the reference, with which the others are compared.");
    if (!hasFinalScore(group))
        return RunTableModel::tr("No Δ: only finished runs are compared, and none of this experiment has finished with a score. Its best score may still come.");
    if (comparesLosses(*reference) ? lossSetOf(group) != lossSetOf(*reference) : scoreSetOf(group) != scoreSetOf(*reference))
        return comparesLosses(*reference)
                   ? RunTableModel::tr("No Δ: the loss of the reference is of another task, corpus or validation split, or of other pieces or label smoothing.")
                   : RunTableModel::tr("No Δ: the score of the reference is of another task, corpus or validation split, or of another number of decoded utterances.");
    return std::isnan(against(group, *reference).difference)
               ? RunTableModel::tr("No Δ: this experiment and the reference have no seed with which both have finished with a score.")
               : QString();
}

PairedTest against(const RunGroup& group, const RunGroup& reference) {
    PairedTest none;
    none.difference = none.p = kUndefined;
    const auto score = scoreOf(reference);
    std::vector<double> ours, theirs;
    for (const RunItem* run : newestOfSeeds(group, hasEnded))
        for (const RunItem* other : newestOfSeeds(reference, hasEnded))
            if (run->info.seed == other->info.seed && std::isfinite((run->*score)()) &&
                std::isfinite((other->*score)())) {
                ours.push_back((run->*score)());
                theirs.push_back((other->*score)());
            }
    const auto setOf = score == &RunItem::bestLoss ? lossSetOf : scoreSetOf;
    return ours.empty() || group.key == reference.key || setOf(group) != setOf(reference) ? none : pairedTest(ours, theirs);
}

} // namespace headroom::widgets
