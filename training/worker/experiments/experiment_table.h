// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiments/result_table.h"
#include "core/experiments/experiment_paths.h"
#include "training/worker/experiments/experiment_run.h"

namespace headroom::training {

/// Reads our number of every cell from the finished steps: scores of decoded texts, columns of studies, values of recipes and
/// architectures, and what follows from other cells. A cell without a number says why. Paired tests compare the texts of all
/// seeds, seed by seed, with those of the baseline: MAPSSWE for word errors, approximate randomisation for other metrics.
ResultTable experimentTable(const ExperimentPlan& plan, const ExperimentFolders& folders, const ExperimentPaths& paths,
                            const StepOutcome& outcome);

} // namespace headroom::training
