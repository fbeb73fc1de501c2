// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "core/runs/evaluations.h"
#include "core/runs/recipe.h"
#include "widgets/run_monitor/run_item.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace headroom::app {

/// A run, or one for each seed, that can be started: what the launch form gives when it is complete. A value.
struct Launch {
    Architecture architecture;
    std::filesystem::path architectureFile; ///< where it comes from; empty: a draft of this session
    Recipe recipe;                          ///< with what was changed in the form
    std::filesystem::path recipeFile;       ///< what it was changed from
    std::vector<std::string> set;           ///< those changes as KEY=JSON
    std::filesystem::path data;
    std::string startFrom; ///< MODEL or MODEL:encoder; empty: nothing
    std::vector<std::uint64_t> seeds;
    std::filesystem::path runs; ///< the runs folder
    std::string place;          ///< of core/places, by name; empty: this machine
    std::string device = {};    ///< of this machine, as `train --device` takes it; empty: the CPU
    bool allCheckpoints = false; ///< at a place: every checkpoint comes here, not only the last and the best
    bool hold = false;          ///< at a Slurm cluster: the user sees the script before it is sent
};

/// "1 2 3", "1-3", "1, 4-6" → numbers, each once, in the order written. Nothing where the text is none of
/// these; `mistake` says why, naming the part.
std::optional<std::vector<std::uint64_t>> parseSeeds(const QString& text, QString& mistake);

/// "2026-11-21T10-31_local-5-21_seed-2": names the run's folder. Letters of other scripts stay; what a file
/// name must not hold becomes "-".
QString runFolderName(const QString& when, const QString& architecture, std::optional<std::uint64_t> seed);

/// Why nothing can be kept in a runs folder, in a sentence; empty: it is there and can be read and written, or can be made. Of one that
/// is missing, the first missing folder is made and removed again: permissions alone do not tell (/proc).
QString whyNotARunsFolder(const std::filesystem::path& runs);

/// Writes RUNS/queue/inputs/RUN.architecture.json and .recipe.json, then one job a seed, in their order.
/// Gives the jobs' files. Inputs of runs that have begun are cleared away. `known`: the runs that are there, told apart; then the
/// name that tells the new ones from them and from waiting jobs is kept. Null: none is. Throws Error "run.unwritable".
std::vector<std::filesystem::path> enqueue(const Launch& launch, const std::vector<widgets::RunItem>* known = nullptr);
/// A job that goes on with a run. What was said of an earlier attempt goes.
std::filesystem::path enqueueResume(const std::filesystem::path& run);
/// A job that brings a run here which somebody else started at a place, and follows it. `name`: of its folder there. Throws Error
/// "run.exists" if a run of that name is here, "run.unwritable".
std::filesystem::path enqueueWatch(const std::filesystem::path& runs, const std::string& place, const std::string& name);
/// A job that evaluates a model. Its folder is RUNS/evaluations/TIME_NAME, or `folder` of an evaluation that goes on: then
/// returns the job of that folder that waits already, if there is one. Throws Error "run.unwritable".
std::filesystem::path enqueueEvaluation(const std::filesystem::path& runs, const EvaluationRequest& request,
                                        const std::filesystem::path& folder = {});
/// Puts a job that was not started behind those that wait, as it was asked for; returns its new file. Throws Error "job.missing",
/// "job.badJson" or "job.value" for one that cannot be read, "run.unwritable".
std::filesystem::path enqueueAgain(const std::filesystem::path& failed);
/// Moves a waiting job before all others.
void moveFirst(const std::filesystem::path& job);

/// The command lines that do the same: one per seed, or one for all at another place. A draft's architecture is written into
/// RUNS/queue/inputs first.
QStringList commandLines(const Launch& launch);

} // namespace headroom::app
