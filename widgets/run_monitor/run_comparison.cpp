// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run_monitor/run_comparison.h"

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
