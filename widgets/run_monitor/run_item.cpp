// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run_monitor/run_item.h"

#include "widgets/look/number_text.h"
#include "widgets/look/translate.h"

#include <QHash>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace headroom::widgets {

namespace {

bool isSameNumber(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

} // namespace

int RunGroup::finished() const {
    return static_cast<int>(std::count_if(
        runs.begin(), runs.end(), [](const RunItem& run) { return run.info.state == RunState::Finished; }));
}

std::vector<const RunItem*> newestOfSeeds(const RunGroup& group, bool (*counts)(const RunItem&)) {
    std::vector<const RunItem*> newest;
    for (const RunItem& run : group.runs) {
        if (!counts(run))
            continue;
        const auto same = std::find_if(newest.begin(), newest.end(), [&](const RunItem* other) {
            return other->info.seed == run.info.seed;
        });
        if (same == newest.end())
            newest.push_back(&run);
        else if (run.info.created >= (*same)->info.created)
            *same = &run;
    }
    return newest;
}

int RunGroup::seeds() const {
    std::set<std::uint64_t> seeds;
    for (const RunItem& run : runs) {
        seeds.insert(run.info.seed);
        seeds.insert(run.waitingSeeds.begin(), run.waitingSeeds.end());
    }
    return static_cast<int>(seeds.size());
}

int RunGroup::finishedSeeds() const {
    return static_cast<int>(
        newestOfSeeds(*this, [](const RunItem& run) { return run.info.state == RunState::Finished; }).size());
}

bool RunGroup::isRunning() const {
    return std::any_of(runs.begin(), runs.end(),
                       [](const RunItem& run) { return run.goesOn(); });
}

bool RunGroup::onlyWaits() const {
    const auto waiting = [](const RunItem& run) { return run.waits; };
    const auto computed = [](const RunItem& run) { return run.info.state == RunState::Running && !run.waits; };
    return std::any_of(runs.begin(), runs.end(), waiting) && std::none_of(runs.begin(), runs.end(), computed);
}

std::vector<RunGroup> groupRuns(const std::vector<RunItem>& runs) {
    std::vector<RunGroup> groups;
    QHash<QString, std::size_t> places;
    for (const RunItem& run : runs) {
        const QString key =
            run.group.isEmpty() ? QString::fromStdU16String(run.folder.u16string()) : run.group;
        const auto known = places.constFind(key);
        if (known == places.constEnd()) {
            places.insert(key, groups.size());
            groups.push_back({key, run.name, run.recipe, run.data, {run}});
        } else {
            groups[*known].runs.push_back(run);
        }
    }
    for (RunGroup& group : groups)
        std::stable_sort(group.runs.begin(), group.runs.end(), [](const RunItem& left, const RunItem& right) {
            return left.info.seed < right.info.seed;
        });
    return groups;
}

QString runTitle(const RunItem& run) {
    const QString title = tr("%1, seed %2").arg(run.name).arg(run.info.seed);
    return run.repeat > 1 ? tr("%1, run %2").arg(title).arg(run.repeat) : title;
}

QString mappedWerText(double percent) {
    return std::isfinite(percent) ? tr("WER after the rules (sclite): %1\u202f%").arg(numberText(percent, 2)) : QString();
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
    return fits ? metrics.elidedText(title.left(seed), Qt::ElideRight, room) + end : metrics.elidedText(title, Qt::ElideMiddle, width);
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

QString durationText(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0)
        return QStringLiteral("–");
    const auto whole = std::llround(seconds);
    if (whole < 60)
        return QString::number(whole) + kNarrowSpace + QLatin1Char('s');
    const auto minutes = (whole + 30) / 60;
    if (minutes < 60)
        return QString::number(minutes) + kNarrowSpace + QStringLiteral("min");
    return QString::number(minutes / 60) + kNarrowSpace + QStringLiteral("h ") +
           QString::number(minutes % 60) + kNarrowSpace + QStringLiteral("min");
}

QString speedText(double framesPerSecond, bool areTokens) {
    if (!std::isfinite(framesPerSecond))
        return QStringLiteral("–");
    const QString unit = areTokens ? QStringLiteral("tokens/s") : QStringLiteral("frames/s");
    if (framesPerSecond >= 1e6)
        return numberText(framesPerSecond / 1e6, 2) + kNarrowSpace + QStringLiteral("M ") + unit;
    if (framesPerSecond >= 1e4)
        return numberText(framesPerSecond / 1e3, 1) + kNarrowSpace + QStringLiteral("k ") + unit;
    return numberText(framesPerSecond, 0) + kNarrowSpace + unit;
}

QString byteSpeedText(double bytesPerSecond) {
    if (!std::isfinite(bytesPerSecond))
        return QStringLiteral("–");
    if (bytesPerSecond >= 1e6)
        return numberText(bytesPerSecond / 1e6, bytesPerSecond >= 1e7 ? 0 : 1) + kNarrowSpace + QStringLiteral("MB/s");
    return numberText(bytesPerSecond / 1e3, 0) + kNarrowSpace + QStringLiteral("kB/s");
}

std::string RunGroup::firstCreated() const {
    std::string first;
    for (const RunItem& run : runs)
        if (first.empty() || run.info.created < first)
            first = run.info.created;
    return first;
}

QString RunGroup::testSplit() const {
    const RunItem* newest = nullptr;
    for (const RunItem& run : runs)
        if (!run.testSplit.isEmpty() && (!newest || run.info.created > newest->info.created))
            newest = &run;
    return newest ? newest->testSplit : QString();
}

bool looksTheSame(const RunItem& a, const RunItem& b) {
    const auto words = [](const RunItem& run) {
        return std::tie(run.folder, run.info.seed, run.info.state, run.waits, run.isPaused, run.isQueued, run.info.created, run.info.best, run.task,
                        run.testSplit, run.testDecoding, run.testCheckpoint, run.waitingSeeds);
    };
    return words(a) == words(b) && isSameNumber(a.parameters, b.parameters) &&
           isSameNumber(a.macShare, b.macShare) && isSameNumber(a.testWer, b.testWer) &&
           isSameNumber(a.testMappedWer, b.testMappedWer) &&
           isSameNumber(a.testBleu, b.testBleu) && isSameNumber(a.testPerplexity, b.testPerplexity);
}
bool looksTheSame(const RunGroup& a, const RunGroup& b) {
    const auto words = [](const RunGroup& group) {
        return std::tie(group.key, group.name, group.recipe, group.data);
    };
    return words(a) == words(b) &&
           std::equal(a.runs.begin(), a.runs.end(), b.runs.begin(), b.runs.end(),
                      [](const RunItem& one, const RunItem& other) { return looksTheSame(one, other); });
}

} // namespace headroom::widgets
