// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "core/experiments/experiment.h"
#include "core/runs/recipe.h"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace headroom {

/// One step for one seed, with its documents as they will be used.
struct PlannedStep {
    std::string id;   ///< "baseline-en-de-seed2"; the step's name where it is done once
    ExperimentStep step;
    int seed = 1;
    std::vector<std::string> needs; ///< ids whose results it reads
    Architecture architecture;      ///< Train; windows of a study are set when it is finished
    Recipe recipe;                  ///< Train
    std::vector<Architecture> timed; ///< Study of architectures
    bool hasDocuments() const { return step.kind == ExperimentStep::Kind::Train; }
};

/// An experiment with everything decided: seeds, scale, architectures and recipes. What must not change once it has begun.
struct ExperimentPlan {
    Experiment experiment;
    int seeds = 1;
    double scale = 1; ///< (0, 1]
    std::vector<PlannedStep> steps; ///< each after those it needs

    /// Null where there is none.
    const PlannedStep* find(const std::string& id) const;
    /// The ids of a step over the seeds: one where it is done once.
    std::vector<std::string> idsOf(const std::string& step) const;
    /// The ids of the steps whose names match one of the patterns ("train-*"; * stands for any text), and of all that these
    /// need. Throws Error "experiment.reference" for a pattern that matches no step.
    std::set<std::string> idsFor(const std::vector<std::string>& patterns) const;
};

/// Where documents are looked for: names in resources, and files beside the experiment ("x.json").
struct ExperimentFolders {
    std::filesystem::path resources; ///< with experiments/, architectures/ and recipes/
    std::filesystem::path beside;    ///< the folder of the document
};

/// The document of an experiment: a name in resources/experiments, or a path that ends in .json. Throws Error
/// "experiment.missing", which lists the names.
std::filesystem::path experimentFile(const std::string& name, const ExperimentFolders& folders);
/// The documents in resources/experiments, by name.
std::vector<std::filesystem::path> experimentFiles(const std::filesystem::path& resources);

/// Reads every architecture and recipe, applies the changes of the steps, the seeds and the scale. Throws what reading them
/// throws, and Error "experiment.value" for heads or windows of layers that an architecture does not have.
ExperimentPlan planExperiment(Experiment experiment, int seeds, double scale, const ExperimentFolders& folders);

/// Reads an architecture or a recipe that a cell names.
Architecture architectureNamed(const std::string& name, const ExperimentFolders& folders);
Recipe recipeNamed(const std::string& name, const ExperimentFolders& folders);

/// The plan as JSON: everything that decides a number.
nlohmann::json toJson(const ExperimentPlan& plan);
/// What differs between two plans as sentences ("steps › baseline › recipe › optimiser › learningRate was 0.002 and is 0.001"),
/// at most `most` of them.
std::vector<std::string> planDifferences(const nlohmann::json& was, const nlohmann::json& is, std::size_t most = 3);

} // namespace headroom
