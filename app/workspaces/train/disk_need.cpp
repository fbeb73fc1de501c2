// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/disk_need.h"

#include "app/parts/number_text.h"
#include "core/architecture/costs.h"
#include "core/architecture/trained_architecture.h"
#include "widgets/look/translate.h"

#include <algorithm>
#include <numeric>

namespace headroom::app {

namespace {

/// How many checkpoints a run saves, at most: one at each validation, one at each checkpoints.everyUpdates, and one at the end.
std::int64_t savesOf(const Recipe& recipe) {
    const std::int64_t updates = recipe.length.maxUpdates, validations = recipe.validation.everyUpdates,
                       more = recipe.checkpoints.everyUpdates;
    if (recipe.validation.everyEpochs > 0) // which may be short
        return updates;
    std::int64_t saves = 0;
    bool isSavedAtEnd = false;
    for (const std::int64_t every : {validations, more})
        if (every > 0) {
            saves += updates / every;
            isSavedAtEnd = isSavedAtEnd || updates % every == 0;
        }
    if (validations > 0 && more > 0)
        saves -= updates / std::lcm(validations, more);
    return saves + !isSavedAtEnd;
}

} // namespace

DiskNeed diskNeed(const Architecture& architecture, const Recipe& recipe, std::int64_t runs, bool isCopied) {
    constexpr double kBytesPerParameter = 4;
    const auto bytesOf = [](const Architecture& one) { return kBytesPerParameter * static_cast<double>(parameterCosts(one).parameters); };
    const std::int64_t saves = savesOf(recipe);
    DiskNeed need;
    need.runs = runs;
    need.newest = isCopied ? 1 : recipe.checkpoints.keep;
    need.checkpoints = std::min(saves, need.newest + 1);
    need.oneMore = saves > need.newest + 1;
    need.checkpointBytes = 3 * bytesOf(trainedArchitecture(architecture, recipe.loss.ctcWeight > 0));
    need.modelBytes = bytesOf(architecture);
    return need;
}

Check diskCheck(const std::optional<DiskNeed>& need, const std::optional<double>& free) {
    const QString freeText = tr("%1 free.").arg(free ? decimalBytes(*free) : kUnknown);
    if (!need)
        return {Check::State::Unknown, tr("Disk space"), kUnknown, freeText};
    const bool isOne = need->checkpoints == 1, hasBest = need->checkpoints > need->newest;
    QString kept = (isOne ? tr("%1 checkpoint of %2") : tr("%1 checkpoints of %2")).arg(need->checkpoints).arg(decimalBytes(need->checkpointBytes));
    if (hasBest)
        kept += need->newest == 1 ? tr(" (the last and the best)") : tr(" (the last %1 and the best)").arg(need->newest);
    QStringList sentences{
        (need->runs == 1 ? tr("The run keeps up to %1, and a model of %2.") : tr("Each run keeps up to %1, and a model of %2."))
            .arg(kept, decimalBytes(need->modelBytes))};
    if (need->oneMore)
        sentences << tr("One more checkpoint needs space while it is written.");
    sentences << tr("A checkpoint holds the weights and Adam's two moments in fp32.") << freeText;
    return {!free                     ? Check::State::Unknown
            : need->bytes() <= *free ? Check::State::Passed
                                     : Check::State::Remark,
            need->runs == 1 ? tr("Disk space for 1 run") : tr("Disk space for %1 runs").arg(need->runs), decimalBytes(need->bytes()),
            sentences.join(QLatin1Char(' '))};
}

} // namespace headroom::app
