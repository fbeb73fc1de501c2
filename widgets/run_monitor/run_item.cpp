// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/run_monitor/run_item.h"

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

bool isSameScore(const EvaluatedScore& a, const EvaluatedScore& b) {
    const auto words = [](const EvaluatedScore& one) { return std::tie(one.split, one.task, one.decoding, one.checkpoint, one.order); };
    return words(a) == words(b) && isSameNumber(a.wer, b.wer) && isSameNumber(a.mappedWer, b.mappedWer) && isSameNumber(a.bleu, b.bleu) &&
           isSameNumber(a.perplexity, b.perplexity);
}

bool hasFinished(const RunItem& run) {
    return run.info.state == RunState::Finished;
}

} // namespace

int RunGroup::finished() const {
    return static_cast<int>(std::count_if(runs.begin(), runs.end(), hasFinished));
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

std::vector<const RunItem*> RunGroup::runsOfSeeds() const {
    std::vector<const RunItem*> runsOf = newestOfSeeds(*this, [](const RunItem&) { return true; });
    for (const RunItem* finished : newestOfSeeds(*this, hasFinished))
        for (const RunItem*& run : runsOf)
            if (run->info.seed == finished->info.seed)
                run = finished;
    return runsOf;
}

std::vector<const RunItem*> RunGroup::scoredRuns() const {
    std::vector<const RunItem*> scored = runsOfSeeds();
    if (finished() > 0)
        std::erase_if(scored, [](const RunItem* run) { return !hasFinished(*run); });
    return scored;
}

const RunItem* RunGroup::resultRun() const {
    const auto isBetter = [](const RunItem* a, const RunItem* b) {
        if (a->hasModel != b->hasModel)
            return a->hasModel;
        if (!a->hasModel)
            return a->info.state == RunState::Running && b->info.state != RunState::Running;
        return std::isfinite(a->bestLoss()) && !(a->bestLoss() >= b->bestLoss()); // none is worse than any
    };
    const RunItem* best = nullptr;
    for (const RunItem* run : scoredRuns())
        if (!best || isBetter(run, best))
            best = run;
    return best;
}

std::vector<std::uint64_t> RunGroup::waitingSeeds() const {
    return runs.empty() ? std::vector<std::uint64_t>() : runs.front().waitingSeeds;
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
    return static_cast<int>(newestOfSeeds(*this, hasFinished).size());
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

std::string RunGroup::firstCreated() const {
    std::string first;
    for (const RunItem* run : runsOfSeeds())
        if (first.empty() || run->info.created < first)
            first = run->info.created;
    return first;
}

QStringList RunGroup::evaluatedSplits() const {
    std::vector<const RunItem*> newestFirst = scoredRuns();
    std::ranges::stable_sort(newestFirst, [](const RunItem* a, const RunItem* b) { return a->info.created > b->info.created; });
    std::vector<const EvaluatedScore*> firsts; // of each split
    for (const RunItem* run : newestFirst)
        for (const EvaluatedScore& one : run->evaluated)
            if (std::ranges::none_of(firsts, [&](const EvaluatedScore* known) { return known->split == one.split; }))
                firsts.push_back(&one);
    std::ranges::stable_sort(firsts, {}, &EvaluatedScore::order);
    QStringList splits;
    for (const EvaluatedScore* one : firsts)
        splits << one->split;
    return splits;
}

const EvaluatedScore* RunItem::evaluatedOn(const QString& split) const {
    const auto found = std::ranges::find(evaluated, split, &EvaluatedScore::split);
    return found == evaluated.end() ? nullptr : &*found;
}

bool looksTheSame(const RunItem& a, const RunItem& b) {
    const auto words = [](const RunItem& run) {
        return std::tie(run.folder, run.info.seed, run.info.state, run.lost, run.waits, run.isPaused, run.isQueued, run.info.created, run.info.best, run.task, run.start, run.lossMeasure, run.decoded,
                        run.waitingSeeds);
    };
    return words(a) == words(b) && isSameNumber(a.parameters, b.parameters) &&
           isSameNumber(a.macShare, b.macShare) && std::ranges::equal(a.evaluated, b.evaluated, isSameScore);
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
