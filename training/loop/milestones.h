// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/loop/checkpoint.h"
#include "training/loop/requests.h"

namespace headroom::training {

// When a run validates, saves and ends by its recipe, and what a validation changes in that.

/// Whether the recipe asks for it after the updates made so far.
bool validationIsDue(const Recipe& recipe, const TrainState& state);
bool checkpointIsDue(const Recipe& recipe, const TrainState& state);
/// Whether updates, epochs or patience of the recipe are used up.
bool hasEnded(const Recipe& recipe, const TrainState& state);

/// Enters a validation of the current update: the best, patience, and whether a plateau makes the learning rate fall.
Standing enterValidation(const Validation& result, const Recipe& recipe, TrainState& state);

} // namespace headroom::training
