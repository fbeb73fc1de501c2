// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/commands/experiment_options.h"
#include "core/experiments/experiment_record.h"
#include "core/experiments/experiment_work.h"
#include "core/experiments/step_progress.h"
#include "core/studies/table.h"

#include <QString>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace headroom::app {

/// A document of the list. A value.
struct ListedExperiment {
    std::filesystem::path file;
    Experiment document;
    QString mistake; ///< why it cannot be read; then only `file` is known
};
std::vector<ListedExperiment> listExperiments(const std::filesystem::path& resources);

/// What a choice of corpora, seeds and scale means: the steps, how much trainings compute, and how long they will take, if
/// runs of the same size have finished here. Without usable corpora, sizes are taken as published.
struct ExperimentForecast {
    std::shared_ptr<const ExperimentPlan> plan;
    ExperimentWork work; ///< as `headroom-worker experiment --hours` counts it
    std::optional<double> seconds;
    QString missing; ///< why steps are left out, or what is wrong with the data folder; empty: every step can be done
    bool hasData = true; ///< at least one corpus is there, or none is needed; else nothing can be started
};
/// How long one training takes here in seconds, as runs that have finished say. Called off the window's thread.
using TrainingTime = std::function<std::optional<double>(const PlannedStep& training, const TrainingWork& work)>;
/// Throws what planExperiment() throws. Reads every architecture and recipe, and the tables of the corpora: call it off the window's
/// thread.
ExperimentForecast forecast(const ListedExperiment& experiment, const ExperimentOptions& options,
                            const std::filesystem::path& resources, const TrainingTime& time);

/// How far the experiment in a folder is. A value.
struct ExperimentState {
    bool runs = false;                ///< a process works on it
    bool begun = false;               ///< experiment.json is there
    std::optional<ExperimentRecord> record; ///< how it was begun, if that was wanted and can be read
    std::vector<StepProgress> steps;  ///< as the plan's
    std::vector<QString> contacts;    ///< of each step while it is done at a place: how the contact stands; may be empty
    std::optional<StudyTable> result; ///< table.json: the paper's numbers and ours
    QString notes;                    ///< under the table
    QString said;                     ///< how the process ended, by the last line of its log; empty: it has none
    QString waitsForTurn;             ///< the step that waits while the queue computes on this machine; empty: none does
};
/// Reads the folder, and with `withRecord` how the experiment in it was begun. Call it off the window's thread.
ExperimentState stateOf(const ExperimentPlan& plan, const std::filesystem::path& folder, bool withRecord);

/// Steps that can be done and are not finished. Pure.
int unfinishedSteps(const ExperimentForecast& forecast, const ExperimentState& state);
/// "3 of 10 steps are finished. 1 step failed. Continue retries it." Pure.
QString stepsText(const ExperimentForecast& forecast, const ExperimentState& state);

/// The steps as a table: name, kind, state, progress, what is wrong or how the contact stands, or why it is left out. Pure.
StudyTable stepTable(const ExperimentForecast& forecast, const ExperimentState& state);
/// table.json as a table. Throws Error "experiment.badJson".
StudyTable resultTable(const std::filesystem::path& file, QString& notes);

/// What the window writes beside the experiment's own files: what its process says.
std::filesystem::path experimentLog(const std::filesystem::path& folder);
/// Starts the experiment, or goes on with it, detached from the window. A sentence if it could not be started.
QString startExperiment(const ExperimentOptions& options);

} // namespace headroom::app
