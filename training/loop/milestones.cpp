// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/milestones.h"

namespace headroom::training {

bool validationIsDue(const Recipe& recipe, const TrainState& state) {
    const Recipe::Validation& validation = recipe.validation;
    if (state.update == 0)
        return false;
    const bool byUpdates = validation.everyUpdates > 0 && state.update % validation.everyUpdates == 0;
    const bool byEpochs = validation.everyEpochs > 0 && state.group == 0 && state.epoch > 1 &&
                          (state.epoch - 1) % validation.everyEpochs == 0;
    return byUpdates || byEpochs;
}

bool checkpointIsDue(const Recipe& recipe, const TrainState& state) {
    const auto every = recipe.checkpoints.everyUpdates;
    return every > 0 && state.update % every == 0;
}

bool hasEnded(const Recipe& recipe, const TrainState& state) {
    const Recipe::Length& length = recipe.length;
    return state.update >= length.maxUpdates ||
           (length.maxEpochs > 0 && state.epoch > length.maxEpochs) ||
           (length.patience > 0 && state.withoutBetter >= length.patience);
}

Standing enterValidation(const Validation& result, const Recipe& recipe, TrainState& state) {
    const double score = criterionOf(result, recipe.validation.best);
    state.validated = state.update;
    const Standing standing = standingOf(result, score, state.best);
    if (standing != Standing::NotBetter) {
        state.best = scoresOf(result);
        state.best["update"] = state.update;
        state.best["score"] = score;
        if (!result.perplexity)
            state.best["decoded"] = result.hypotheses.size(); // what WER and BLEU are of
    }
    if (standing == Standing::Better) {
        state.withoutBetter = state.sincePlateau = 0;
    } else {
        ++state.withoutBetter;
        ++state.sincePlateau;
    }
    if (recipe.optimiser.schedule == "plateau" && state.sincePlateau > recipe.optimiser.plateauPatience) {
        ++state.reductions;
        state.sincePlateau = 0;
    }
    return standing;
}

} // namespace headroom::training
