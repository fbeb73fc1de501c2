// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/worker_location.h"
#include "app/parts/checks_panel.h"
#include "app/parts/forms/form_panel.h"
#include "app/workspaces/train/launch_facts.h"
#include "app/workspaces/train/launch_sources.h"
#include "core/runs/task_kind.h"

#include <map>

namespace headroom::app {

/// What stands in the launch form, and what was found out about it. A value: no widgets, and everything that is read
/// from files is in it already.
struct LaunchValues {
    std::optional<Architecture> architecture; ///< nothing: `architectureMistake` or `architectureWait` says why
    QString architectureMistake;
    QString architectureWait; ///< what is being read; empty: nothing is
    std::filesystem::path architectureFile; ///< empty: a draft
    Recipe base, recipe;                    ///< as the file says, and with the changes
    QString recipeMistake;                  ///< of the file
    std::filesystem::path recipeFile;
    std::vector<std::string> set;               ///< the changes, as KEY=JSON
    std::map<std::string, QString> wrongValues; ///< changes that cannot be: key → sentence
    std::filesystem::path data;                 ///< empty: none chosen
    std::optional<DataFacts> facts;             ///< what was read last, perhaps of another folder
    StartChoice start;
    QString startMistake;               ///< why `start` has no weights; empty: it has
    std::optional<Architecture> startArchitecture; ///< of that model; nullopt: not known
    std::optional<int> startVocabulary; ///< pieces of the model that one starts from
    std::filesystem::path vocabularyModel; ///< StartChoice::vocabularyModel() of `start`
    QString resetNote;                     ///< RecipeModel::resetNote()
    QString seeds;
    std::filesystem::path runs; ///< the runs folder
    QString runsMistake;        ///< why nothing can be kept there; empty: it can
    std::optional<double> disk; ///< bytes free there
    WorkerLocation worker;
    QString place; ///< where to compute; empty: this machine
    QString device; ///< of this machine, as `train --device` takes it; empty: the CPU
    bool allCheckpoints = false; ///< of runs at a place
    bool hold = false; ///< at a Slurm cluster: show the script before it is sent
    QString making, makingFailure; ///< progress of the demo corpus, and why it could not be made

    bool resumes() const { return start.kind == StartChoice::Kind::Resume; }
    /// The texts are written with the vocabulary that comes with the weights. An encoder is taken to another vocabulary, if there is one.
    bool writesAsStart() const {
        return !start.argument().empty() && !(start.kind == StartChoice::Kind::Encoder && factsAreKnown() && facts->vocabulary);
    }
    bool factsAreKnown() const { return facts && facts->isOf(data, recipe); }
};

/// Fields: architecture, recipe, data, start, seeds, batch, updates, folder.
struct LaunchReport : FormReport {
    std::optional<Launch> launch; ///< what would be started; nothing where something is wrong or not known yet
    QList<Check> checks;          ///< the list “Checked before the start”
    QString invalidRows;          ///< the tool tip of the note about the data; empty: no row is invalid
};
LaunchReport validate(const LaunchValues& values);

/// Whether a recipe trains on parallel text, as the demo corpus of text has it.
inline bool needsParallelText(const Recipe& recipe) {
    return readsText(recipe.task) && isTranslation(recipe.task);
}

/// The recipe's keys that have a field of their own.
inline constexpr const char* kBatchKey = "data.maxBatchFrames";
inline constexpr const char* kUpdatesKey = "length.maxUpdates";

} // namespace headroom::app
