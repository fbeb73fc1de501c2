// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/worker/console.h"
#include "training/worker/experiments/experiment_data.h"
#include "training/worker/experiments/step_commands.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace headroom::training {

/// How the steps of an experiment ended.
struct StepOutcome {
    std::map<std::string, std::string> without; ///< id → why it has no result: failed, or its data are missing
    std::set<std::string> consequences; ///< of these, those that only lack the result of another step
    bool stopped = false;                       ///< a signal came
    bool failed = false;                        ///< a step that could be done went wrong
};

/// Does every step that is not finished, each after those it needs: one at a time here, in turn with the queue of
/// StepMachine::queue; at a place trainings side by side, and
/// one study or decoding at a time. A step
/// that fails does not stop those that do not need it. SIGTERM, SIGINT and SIGHUP are passed on to the steps, which save what
/// they have. `only`: patterns of names (ExperimentPlan::idsFor); empty: every
/// step. Throws what writing throws.
StepOutcome runSteps(const ExperimentPlan& plan, const ExperimentData& data, const ExperimentPaths& paths,
                     const StepMachine& machine, const std::vector<std::string>& only, Console& console);

} // namespace headroom::training
