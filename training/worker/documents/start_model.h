// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/commands/worker_commands.h"

namespace headroom::training {

/// The options with a model folder in place of a checkpoint that startFrom names (core/runs/checkpoint_name.h): RUN/branches/step-N,
/// which is written once, and again where an older version left out the CTC output. A run that is there already keeps its own. Throws
/// Error "train.noCheckpoint", and what reading and writing throw.
TrainOptions withStartModel(TrainOptions options);

} // namespace headroom::training
