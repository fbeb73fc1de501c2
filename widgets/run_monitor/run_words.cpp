// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run_monitor/run_words.h"

#include "core/runs/score_decimals.h"
#include "widgets/look/number_text.h"
#include "widgets/look/translate.h"

#include <algorithm>
#include <cmath>

namespace headroom::widgets {

QString runTitle(const RunItem& run) {
    const QString title = tr("%1, seed %2").arg(run.name).arg(run.info.seed);
    return run.repeat > 1 ? tr("%1, run %2").arg(title).arg(run.repeat) : title;
}

QString scoreText(double score) {
    return numberText(score, kScoreDecimals);
}

QString lossText(double loss) {
    return numberText(loss, kLossDecimals);
}

QString mappedWerText(double percent) {
    return std::isfinite(percent) ? tr("WER after the rules (sclite): %1\u202f%").arg(scoreText(percent)) : QString();
}

QString fittedTitle(const QString& title, const QFontMetrics& metrics, int width) {
    if (metrics.horizontalAdvance(title) <= width)
        return title;
    const QString words = tr("%1, seed %2");
    const auto from = words.indexOf(QLatin1String("%1")) + 2, to = words.indexOf(QLatin1String("%2"));
    const auto seed = to > from ? title.lastIndexOf(words.mid(from, to - from)) : -1;
    const QString end = seed < 0 ? QString() : title.mid(seed);
    const int room = width - metrics.horizontalAdvance(end);
    const bool fits = seed > 0 && room >= metrics.horizontalAdvance(title.left(std::min<qsizetype>(4, seed)) + QChar(0x2026));
    return fits ? metrics.elidedText(title.left(seed), Qt::ElideMiddle, room) + end : metrics.elidedText(title, Qt::ElideMiddle, width);
}

QString stateWord(RunState state) {
    switch (state) {
    case RunState::Running:
        return tr("Running");
    case RunState::Stopped:
        return tr("Stopped");
    case RunState::Finished:
        return tr("Finished");
    case RunState::Failed:
        return tr("Failed");
    case RunState::Interrupted:
        return tr("Interrupted");
    }
    return {};
}

QString stateWord(const RunItem& run) {
    return run.waits                       ? tr("Requeued")
           : run.isPaused                  ? tr("Paused")
           : run.isQueued && !run.goesOn() ? tr("Queued")
                                           : stateWord(run.info.state);
}

RunState stateOf(const RunGroup& group) {
    for (const RunState state :
         {RunState::Running, RunState::Failed, RunState::Interrupted, RunState::Stopped})
        for (const RunItem& run : group.runs)
            if (run.info.state == state)
                return state;
    return RunState::Finished;
}

QString stateWord(const RunGroup& group) {
    if (group.onlyWaits())
        return tr("Requeued");
    const RunState state = stateOf(group);
    const auto isPaused = [](const RunItem& run) { return run.info.state != RunState::Running || run.isPaused || run.waits; };
    if (state == RunState::Running && std::all_of(group.runs.begin(), group.runs.end(), isPaused))
        return tr("Paused");
    const auto isQueued = [&](const RunItem& run) { return run.info.state != state || run.isQueued; };
    if (canResume(state) && std::all_of(group.runs.begin(), group.runs.end(), isQueued))
        return tr("Queued");
    return stateWord(state);
}

QString interruptedText(const RunItem& run, const QString& subject) {
    const auto number = [](std::int64_t update) { return numberText(static_cast<double>(update), 0); };
    if (run.info.update > 0)
        return tr("%1 stopped unexpectedly after update %2. Its checkpoints up to update %3 are intact.")
            .arg(subject, number(run.update), number(run.info.update));
    return run.update > 0 ? tr("%1 stopped unexpectedly after update %2, before its first checkpoint. Resume begins it again.")
                                .arg(subject, number(run.update))
                          : tr("%1 stopped unexpectedly before its first update. Resume begins it again.").arg(subject);
}

} // namespace headroom::widgets
