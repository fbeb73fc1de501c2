// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/loop/checkpoint.h"
#include "training/loop/journal.h"
#include "training/ranks/ranks.h"

#include <optional>

namespace headroom::training {

/// Reads the newest checkpoint of a run that can be read into weights and moments, and says in the journal which, and
/// which could not be read. nullopt: nothing was saved yet, so the run starts again. Throws Error
/// "train.noCheckpoint" if something was saved but none of it can be read.
std::optional<TrainState> newestState(Journal& journal, const models::Parameters& parameters, const Adam& optimiser);

/// Replaces weights and moments by those of rank 0. Every rank calls it.
void takeWeightsOfFirst(Ranks& ranks, const models::Parameters& parameters, const Adam& optimiser);

} // namespace headroom::training
