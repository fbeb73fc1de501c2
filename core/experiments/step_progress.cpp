// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiments/step_progress.h"

#include "core/runs/evaluations.h"
#include "core/runs/run_folder.h"
#include "core/studies/study.h"

namespace headroom {

namespace {

namespace fs = std::filesystem;
using StepState = StepProgress::State;

bool isThere(const fs::path& file) {
    std::error_code ignored;
    return fs::exists(file, ignored);
}

StepState stepState(RunState state) {
    switch (state) {
    case RunState::Running:
        return StepState::Running;
    case RunState::Finished:
        return StepState::Finished;
    case RunState::Failed:
        return StepState::Failed;
    case RunState::Stopped:
    case RunState::Interrupted:
        return StepState::Broken;
    }
    return StepState::Broken;
}

StepProgress trainingProgress(const fs::path& run) {
    StepProgress progress;
    if (!isThere(RunPaths{run}.run()))
        return progress;
    const RunInfo info = readRun(run);
    progress.state = stepState(info.state);
    progress.done = info.update;
    progress.total = info.maxUpdates;
    progress.error = info.error;
    if (progress.state == StepState::Finished && !isThere(RunPaths{run}.model() / "model.safetensors"))
        progress.state = StepState::Broken;
    return progress;
}

StepProgress studyStepProgress(const fs::path& folder) {
    StepProgress progress;
    if (!isThere(StudyPaths{folder}.study()))
        return progress;
    const Study study = readStudy(folder);
    progress.state = stepState(study.state);
    progress.error = study.error;
    const StudyProgress far = readStudyProgress(folder);
    progress.done = far.done;
    progress.total = far.total;
    return progress;
}

StepProgress decodingProgress(const fs::path& folder) {
    StepProgress progress;
    if (isThere(EvaluationPaths{folder}.result())) { // written last
        progress.state = StepState::Finished;
        return progress;
    }
    if (!isThere(EvaluationPaths{folder}.progress()))
        return progress;
    const EvaluationInfo info = readEvaluation(folder);
    progress.done = info.done;
    progress.total = info.total;
    progress.error = info.error;
    progress.state = info.state == EvaluationInfo::State::Running  ? StepState::Running
                     : info.state == EvaluationInfo::State::Failed ? StepState::Failed
                                                                   : StepState::Broken;
    return progress;
}

} // namespace

StepProgress progressOf(const PlannedStep& planned, const ExperimentPaths& paths) {
    const fs::path result = paths.result(planned);
    try {
        switch (planned.step.kind) {
        case ExperimentStep::Kind::Train:
            return trainingProgress(result);
        case ExperimentStep::Kind::Study:
            return studyStepProgress(result);
        case ExperimentStep::Kind::Decode:
            return decodingProgress(result);
        case ExperimentStep::Kind::Average:
            StepProgress progress;
            if (isThere(result / "model.safetensors"))
                progress.state = StepState::Finished;
            return progress;
        }
    } catch (const Error&) {
        // The command says what is wrong with it.
    }
    StepProgress broken;
    broken.state = StepState::Broken;
    return broken;
}

bool isFinished(const PlannedStep& planned, const ExperimentPaths& paths) {
    return progressOf(planned, paths).state == StepProgress::State::Finished;
}

bool isBeingWritten(const PlannedStep& planned, const ExperimentPaths& paths) {
    const fs::path result = paths.result(planned);
    return FileLock::isLocked(planned.step.kind == ExperimentStep::Kind::Study ? StudyPaths{result}.lock()
                                                                             : RunPaths{result}.lock());
}

} // namespace headroom
