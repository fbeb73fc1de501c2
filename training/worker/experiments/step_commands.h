// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/worker/experiments/experiment_data.h"

#include <string>
#include <vector>

namespace headroom::training {

/// How steps are computed: passed on to the commands.
struct StepMachine {
    std::string place;  ///< of trainings, studies and decoding; empty: here
    std::string device; ///< of everything that computes here
    std::filesystem::path queue{}; ///< a folder of runs, with whose queue they take turns here; empty: none
};

/// The command line of `headroom-worker` that computes a step, or goes on with it. Writes the documents of a training into
/// inputs/. Throws Error "experiment.windows" if a study has no windows for a layer, and what writing throws. Not for Average.
std::vector<std::string> stepCommand(const PlannedStep& planned, const ExperimentPlan& plan, const ExperimentData& data,
                                     const ExperimentPaths& paths, const StepMachine& machine);

} // namespace headroom::training
