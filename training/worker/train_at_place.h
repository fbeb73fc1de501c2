// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/commands/worker_commands.h"
#include "training/worker/console.h"

namespace headroom::training {

/// Whether a run is computed at another place: the options name one, or the run's folder says it.
bool isAtPlace(const TrainOptions& options);

/// `train --place`, also with --seeds: copies data and start model there, has the run started, and keeps its folder here equal
/// to the one there until it has ended. A signal ends the watching, not the run; the same command with
/// --resume watches it again. Throws Error "place.unknown", "run.exists", "train.otherPlace", what reading
/// the documents throws, and what the place says.
void trainAtPlace(const TrainOptions& options, Console& console);

} // namespace headroom::training
