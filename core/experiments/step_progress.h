// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiments/experiment_paths.h"

#include <cstdint>
#include <string>

namespace headroom {

/// How far a step is, as its output says, whoever wrote it.
struct StepProgress {
    enum class State {
        Waiting, ///< nothing of it is there
        Running, ///< a process writes it
        Broken,  ///< it was ended before its end; the experiment goes on with it
        Finished,
        Failed
    };
    State state = State::Waiting;
    std::int64_t done = 0, total = 0; ///< updates, or utterances; total 0: not known
    std::string error;                ///< one sentence, if it failed
};

/// Reads the files of a step's result. What cannot be read is not finished. Blocks on the disk; any thread.
StepProgress progressOf(const PlannedStep& planned, const ExperimentPaths& paths);
/// Whether a step is finished.
bool isFinished(const PlannedStep& planned, const ExperimentPaths& paths);
/// Whether another process still writes it, perhaps one of an earlier start that is being ended.
bool isBeingWritten(const PlannedStep& planned, const ExperimentPaths& paths);

} // namespace headroom
