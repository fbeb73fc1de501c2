// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/commands/experiment_options.h"
#include "core/experiments/plan.h"
#include "training/worker/console.h"

namespace headroom::training {

/// Predicts the hours of the trainings of one document, or with `list` of all: frames / (frames per second), which are measured
/// here or given. Trains and writes nothing. Decodings and studies are counted, not timed. Throws what planning and measuring throw.
void experimentHours(const ExperimentOptions& options, ExperimentFolders folders, Console& console);

} // namespace headroom::training
