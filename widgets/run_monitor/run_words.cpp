// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run_monitor/run_words.h"

#include "core/runs/score_decimals.h"
#include "widgets/look/number_text.h"
#include "widgets/look/translate.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace headroom::widgets {

QString runTitle(const RunItem& run) {
    const QString title = tr("%1, seed %2").arg(run.name).arg(run.info.seed);
    return run.repeat > 1 ? tr("%1, run %2").arg(title).arg(run.repeat) : title;
}

QString exportedText(const ModelWeights& weights) {
    const std::int64_t update = updateOf(weights);
    if (update == 0)
        return {};
    const QString newest = numberText(static_cast<double>(update), 0);
    return weights.size() == 1 ? tr("update %1").arg(newest) : tr("mean of %1 checkpoints, the last of update %2").arg(weights.size()).arg(newest);
}

QString earlierModelText(const RunItem& run) {
    const std::int64_t update = updateOf(run.weights);
    if (run.info.state == RunState::Finished || update == 0 || update >= std::max(run.update, run.info.update))
        return {};
    return (update == run.bestUpdate() ? tr("The exported model is that of update %1, the best validation.")
                                       : tr("The exported model is that of update %1."))
        .arg(numberText(static_cast<double>(update), 0));
}

QString scoreText(double score) {
    return numberText(score, kScoreDecimals);
}

QString lossText(double loss) {
    return numberText(loss, kLossDecimals);
}

QString meanText(const SeedStatistics& value, int decimals) {
    if (value.count == 0)
        return QStringLiteral("–");
    const QString mean = numberText(value.mean, decimals);
    return value.count > 1 ? mean + QStringLiteral(" ± ") + numberText(value.deviation, decimals) : mean;
}

QString decodedText(const RunItem& run) {
    const auto number = [](std::int64_t count) { return numberText(static_cast<double>(count), 0); };
    const std::int64_t decoded = run.decodedUtterances(), all = run.validatedUtterances();
    if (run.isOfLanguage() || !std::isfinite(run.best("decoded")))
        return {};
    if (all > 0)
        return decoded < all ? tr("the first %1 of %2").arg(number(decoded), counted(all, tr("1 utterance"), tr("%1 utterances"))) : QString();
    // A run that did not record how many there are: as many as its recipe allows may be all.
    return run.decoded > 0 && decoded >= run.decoded ? counted(decoded, tr("the first utterance"), tr("the first %1 utterances")) : QString();
}

QString decodedText(const RunGroup& group) {
    for (const RunItem* run : group.scoredRuns())
        if (const QString text = decodedText(*run); !text.isEmpty())
            return text;
    return {};
}

void addDecoded(DecodedTexts& texts, const QString& text, const QString& name) {
    auto known = std::ranges::find(texts, text, &DecodedTexts::value_type::first);
    if (known == texts.end())
        known = texts.insert(texts.end(), {text, {}});
    known->second << name;
}

DecodedTexts decodedTexts(const std::vector<const RunGroup*>& groups) {
    DecodedTexts texts;
    for (const RunGroup* group : groups) {
        if (overSeeds(*group, &RunItem::bestWer).count == 0 && overSeeds(*group, &RunItem::bestBleu).count == 0)
            continue;
        addDecoded(texts, decodedText(*group), group->name);
    }
    return texts;
}

QString decodedNote(const DecodedTexts& texts) {
    const auto isOfAll = [](const auto& one) { return one.first.isEmpty(); };
    if (std::ranges::all_of(texts, isOfAll))
        return {};
    if (texts.size() == 1)
        return tr("WER and BLEU on dev are of %1.").arg(texts.front().first);
    QStringList parts;
    for (const auto& [text, names] : texts)
        parts << tr("%1 (%2)").arg(text.isEmpty() ? tr("all utterances") : text, names.join(QLatin1String("; ")));
    return tr("WER and BLEU on dev are of %1.").arg(parts.join(QStringLiteral(", ")));
}

QString mappedWerText(double percent) {
    return std::isfinite(percent) ? tr("WER after the rules (sclite): %1\u202f%").arg(scoreText(percent)) : QString();
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

namespace {

QString noContact() {
    return tr("No contact");
}

} // namespace

QString stateWord(const RunItem& run) {
    return run.lost && run.goesOn()        ? noContact()
           : run.waits                     ? tr("Requeued")
           : run.isPaused                  ? tr("Paused")
           : run.isQueued && !run.goesOn() ? tr("Queued")
                                           : stateWord(run.info.state);
}

RunState stateOf(const RunGroup& group) {
    for (const RunState state :
         {RunState::Running, RunState::Failed, RunState::Interrupted, RunState::Stopped})
        if (std::ranges::any_of(group.runsOfSeeds(), [state](const RunItem* run) { return run->info.state == state; }))
            return state;
    return RunState::Finished;
}

namespace {

using CountedStates = std::vector<std::pair<QString, int>>;

void countState(CountedStates& states, const QString& word, int by = 1) {
    auto known = std::ranges::find(states, word, &std::pair<QString, int>::first);
    if (known == states.end())
        known = states.insert(states.end(), {word, 0});
    known->second += by;
}

QString countedText(const QString& word, int count) {
    return word == noContact() ? tr("%1 without contact").arg(count) : tr("%1 %2").arg(count).arg(word.toLower());
}

/// "3 runs, 2 finished, 1 stopped": no one word is true of a seed's several runs.
QString statesOfRuns(const RunGroup& group) {
    CountedStates states{{stateWord(RunState::Finished), 0}};
    for (const RunItem& run : group.runs)
        countState(states, stateWord(run));
    QStringList texts{counted(std::ssize(group.runs), tr("1 run"), tr("%1 runs"))};
    for (const auto& [word, count] : states)
        if (count > 0 || word == states.front().first)
            texts << countedText(word, count);
    if (const std::size_t waiting = group.waitingSeeds().size(); waiting > 0)
        texts << tr("%1 more queued").arg(waiting);
    return texts.join(QStringLiteral(", "));
}

} // namespace

QString stateWord(const RunGroup& group) {
    if (group.repeatsSeeds())
        return statesOfRuns(group);
    const auto isLost = [](const RunItem& run) { return run.lost || !run.goesOn(); };
    if (group.isRunning() && std::ranges::all_of(group.runs, isLost))
        return noContact();
    if (group.onlyWaits())
        return tr("Requeued");
    const RunState state = stateOf(group);
    const auto isPaused = [](const RunItem& run) { return run.info.state != RunState::Running || run.isPaused || run.waits; };
    if (state == RunState::Running && std::all_of(group.runs.begin(), group.runs.end(), isPaused))
        return tr("Paused");
    const auto isQueued = [&](const RunItem& run) { return run.info.state != state || run.isQueued; };
    if (canResume(state) && std::all_of(group.runs.begin(), group.runs.end(), isQueued))
        return tr("Queued");
    // What is done needs nobody, so the row says that more is to come.
    return state == RunState::Finished && !group.waitingSeeds().empty() ? tr("Queued") : stateWord(state);
}

QString goingOnText(const RunGroup& group) {
    CountedStates states;
    for (const RunItem& run : group.runs)
        if (run.goesOn() || run.isQueued)
            countState(states, stateWord(run));
    if (const int waiting = static_cast<int>(group.waitingSeeds().size()); waiting > 0)
        countState(states, tr("Queued"), waiting);
    QStringList texts;
    for (const auto& [word, count] : states)
        texts << countedText(word, count);
    return texts.join(QStringLiteral(", "));
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
